import { directPermissions } from '../change-requests/rules.ts';
import type { FlagRequest } from '../entity/effects.ts';
import { ApiError, type ErrorDetail } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { changeFeature } from '../features/change-feature.ts';
import type { FeaturePath } from '../features/feature.ts';
import { featureReverted } from '../features/feature-events.ts';
import { assertMayAll, type PermittedCaller } from '../identity/caller.ts';
import { needsApproval } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import { retryLostRaces } from '../store/transactions/retry.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { PropertyChange } from './compare-flags.ts';
import { type DecidedRevert, decideRevert } from './decide-revert.ts';
import { type LoadedRevert, loadRevert, type Obstacle, type RevertTarget } from './load-revert.ts';
import type { RevertPlan } from './time-travel-schema.ts';

/**
 * Returns the changes that would lead a feature back to a moment, without making them. They are in the form of those of change requests.
 * @throws ApiError 404 for an unknown project, feature, environment or event, for an archived feature, and for a moment of which the events
 * tell too little; 409 for a feature that did not exist then, or of which only some environments are to be archived.
 */
export async function planRevert(
  request: Request,
  path: FeaturePath,
  target: RevertTarget,
): Promise<Versioned<RevertPlan>> {
  return retryLostRaces(request, async () => {
    const loaded = await loadRevert(request, path, target, systemUser);
    const { version } = loaded.stored.revision;
    return { value: viewRevertPlan(request, loaded, decideRevert(loaded, new Date().toISOString())), version };
  });
}

/**
 * Leads a feature back to a moment, in one transaction. It restores what SDKs got, or nothing.
 * @throws ApiError as `planRevert` does; 403 with all missing permissions, or all environments where the changes need approval; 409 with
 * everything that cannot be restored; 412 if `If-Match` does not match.
 */
export function revertFlag(
  request: FlagRequest,
  caller: PermittedCaller,
  path: FeaturePath,
  target: RevertTarget,
): Promise<Versioned<void>> {
  return changeFeature(request, caller, {
    name: path.featureName,
    likelyEvents: 10,
    read: () => loadRevert(request, path, target, caller),
    decide: (loaded, at) => {
      const decided = decideRevert(loaded, at);
      assertMayRevert(caller, path.projectId, loaded.fields, decided);
      assertNoObstacle(path.featureName, decided.obstacles);
      const { stored, then } = loaded;
      const { after, events } = decided;
      const environments = target.environments && [...target.environments];
      const reverted = featureReverted(after, { to: then.until, lastEvent: then.lastEvent?.id ?? null, environments });
      return {
        stored,
        after,
        events: events.length === 0 ? [] : [reverted, ...events],
        value: undefined,
      };
    },
  });
}

function assertMayRevert(
  caller: PermittedCaller,
  project: string,
  fields: readonly PropertyChange[],
  { steps }: DecidedRevert,
): void {
  assertMayAll(caller, [
    ...(fields.length > 0 ? [{ permission: 'UPDATE_FEATURE' as const, project }] : []),
    ...steps.map(({ change, environment }) => ({
      ...{ permission: directPermissions[change.action], project },
      ...(environment !== null && { environment }),
    })),
  ]);
}

/** @throws ApiError 409 with everything that cannot be restored. */
function assertNoObstacle(name: string, obstacles: readonly Obstacle[]): void {
  if (obstacles.length === 0) return;
  const details = obstacles.map(
    ({ environment, message }): ErrorDetail => ({
      message,
      ...(environment !== null && { path: `environments.${environment}` }),
    }),
  );
  const reasons = obstacles
    .map(({ message }) => message)
    .slice(0, 3)
    .join(' ');
  throw new ApiError('ConflictError', `The feature "${name}" cannot be reverted to that moment: ${reasons}`, details);
}

function viewRevertPlan(
  request: Request,
  { project, then, fields, notes }: LoadedRevert,
  { steps, obstacles }: DecidedRevert,
): RevertPlan {
  const byEnvironment = Map.groupBy(steps, ({ environment }) => environment);
  const changesOf = (environment: string | null) => (byEnvironment.get(environment) ?? []).map(({ change }) => change);
  return {
    at: then.until,
    fields: [...fields],
    shared: changesOf(null),
    environments: [...byEnvironment.keys()].flatMap((name) =>
      name === null
        ? []
        : [{ name, needsApproval: needsApproval(request, project.id, name), changes: changesOf(name) }],
    ),
    notes: [...notes],
    obstacles: [...obstacles],
  };
}
