import { isDeepStrictEqual } from 'node:util';
import { assertNoApprovalNeeded, listProtectedEnvironments } from '../../projects/protection.ts';
import type { CallerAccess } from '../../request.ts';
import type { Feature } from '../feature.ts';
import type { FeatureHead, Revision } from './feature-items.ts';

/** A feature before or after a change, as far as it was read. */
interface Side {
  readonly feature: Feature;
  readonly revision: Pick<Revision, 'summaries'>;
}

/** Part of a feature that decides what SDKs get in an environment. */
interface Effect {
  readonly enabled: boolean;
  /** Strategies and variants, or the version that wrote them where they were not read. */
  readonly content: readonly unknown[];
  readonly dependencies: Feature['dependencies'];
}

const noEffect: Effect = { enabled: false, content: [[], []], dependencies: [] };

/**
 * Holds a change of a feature to the approval that it needs, by what SDKs get before and after it, whatever operation
 * makes it. A feature without any effect there, and one that is archived, deleted or in another project, count the same.
 * @throws ApiError 403 that names all environments in which that differs and the caller may not change it without
 * approval.
 */
export function assertMayChange(request: CallerAccess, before: Side | undefined, after: Side | undefined): void {
  if (request.gate.protected.size === 0) return;
  const projects = new Set([before, after].flatMap((side) => side?.feature.project ?? []));
  const places = [...projects].flatMap((project) =>
    [...listProtectedEnvironments(request, project)].map((environment) => ({ project, environment })),
  );
  const changed = places.filter(({ project, environment }) => {
    const [old, next] = [effectIn(project, environment, before), effectIn(project, environment, after, before)];
    return !isDeepStrictEqual(old, next);
  });
  assertNoApprovalNeeded(request, changed);
}

/** Returns the effect of a feature in an environment of a project. */
function effectIn(project: string, environment: string, side: Side | undefined, before: Side | undefined = side) {
  if (side === undefined || side.feature.project !== project || side.feature.archivedAt !== null) return noEffect;
  const { feature, revision } = side;
  const summary = revision.summaries.get(environment);
  const { strategies = 0, variants = 0, version = 0 } = summary ?? {};
  const state = feature.environments.get(environment) ?? before?.feature.environments.get(environment);
  return {
    enabled: state?.enabled ?? summary?.enabled ?? false,
    content: state ? [state.strategies, state.variants] : strategies + variants > 0 ? [version] : noEffect.content,
    dependencies: feature.dependencies,
  };
}

/** Environment in which a feature is switched on or off. */
export interface SwitchedIn {
  readonly environment: string;
  readonly enabled: boolean;
}

/**
 * Holds the switching of a feature to the approval that it needs, as `assertMayChange` does.
 * @throws ApiError 403
 */
export function assertMaySwitch(
  request: CallerAccess,
  { project, archivedAt, revision }: FeatureHead,
  { environment, enabled }: SwitchedIn,
): void {
  const wasEnabled = revision.summaries.get(environment)?.enabled ?? false;
  if (archivedAt === null && wasEnabled !== enabled) assertNoApprovalNeeded(request, [{ project, environment }]);
}
