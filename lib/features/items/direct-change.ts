import { isDeepStrictEqual } from 'node:util';
import { onlyProposalsAllowed } from '../../identity/caller.ts';
import { assertNoApprovalNeeded, listProtectedEnvironments } from '../../projects/protection.ts';
import type { CallerAccess } from '../../request.ts';
import type { FeatureEnvironment } from '../environments/feature-environment.ts';
import type { Feature } from '../feature.ts';
import { isFreeChange } from '../plans/free-change.ts';
import type { FeatureHead, Revision } from './feature-items.ts';

/** A feature before or after a change; environments that were not read are missing. */
interface Side {
  readonly feature: Feature;
  readonly revision: Pick<Revision, 'summaries'>;
}

/** The parts of a feature that decide what SDKs get in an environment. */
interface Effect {
  readonly enabled: boolean;
  /** Strategies, variants, the plan and safeguards, or the version that wrote them if they were not read. */
  readonly content: readonly unknown[];
  readonly dependencies: Feature['dependencies'];
}

const noEffect: Effect = { enabled: false, content: [[], []], dependencies: [] };

/**
 * Refuses a change of a feature that needs approval. The check compares what SDKs get before and after the change, so it
 * covers every operation. A feature that is archived, deleted or in another project counts as one without any effect.
 * @throws ApiError 403 with all environments in which the effect changes and the caller needs approval, and for any change of a caller
 * who may only propose changes.
 */
export function assertMayChange(request: CallerAccess, before: Side | undefined, after: Side | undefined): void {
  if (request.gate.onlyProposals) throw onlyProposalsAllowed();
  if (request.gate.protected.size === 0) return;
  const projects = new Set([before, after].flatMap((side) => side?.feature.project ?? []));
  const environments = [...projects].flatMap((project) =>
    [...listProtectedEnvironments(request, project)].map((environment) => ({ project, environment })),
  );
  const changed = environments.filter(
    ({ project, environment }) =>
      !isDeepStrictEqual(
        effectOf(before, project, environment),
        effectOf(after, project, environment, before?.feature.environments),
      ),
  );
  assertNoApprovalNeeded(request, changed);
}

/**
 * Returns the effect of a feature in an environment of a project.
 * @param unchanged the states before the change, for environments that are missing after it.
 */
function effectOf(
  side: Side | undefined,
  project: string,
  environment: string,
  unchanged?: Feature['environments'],
): Effect {
  if (side === undefined || side.feature.project !== project || side.feature.archivedAt !== null) return noEffect;
  const { feature, revision } = side;
  const summary = revision.summaries.get(environment);
  const { version = 0 } = summary ?? {};
  const before = unchanged?.get(environment);
  const state = feature.environments.get(environment) ?? before;
  const emptyContent = version > 0 ? [version] : noEffect.content;
  return {
    enabled: state?.enabled ?? summary?.enabled ?? false,
    content: state ? contentOf(state, before) : emptyContent,
    dependencies: feature.dependencies,
  };
}

/**
 * Returns the parts of a state that need approval. A change of the plan that needs none counts as no change.
 * @param before the state before the change, for the state after it.
 */
function contentOf(
  { strategies, variants, plan, safeguards }: FeatureEnvironment,
  before: FeatureEnvironment | undefined,
): readonly unknown[] {
  const gatedPlan = plan && before?.plan && isFreeChange(before.plan, plan) ? before.plan : plan;
  return [strategies, variants, ...[gatedPlan, safeguards].filter((part) => part !== undefined)];
}

/** The new switch state of a feature in an environment. */
export interface EnvironmentSwitch {
  readonly environment: string;
  readonly enabled: boolean;
}

/**
 * Refuses to switch a feature if that needs approval, as `assertMayChange` does.
 * @throws ApiError 403
 */
export function assertMaySwitch(
  request: CallerAccess,
  { project, archivedAt, revision }: FeatureHead,
  { environment, enabled }: EnvironmentSwitch,
): void {
  if (request.gate.onlyProposals) throw onlyProposalsAllowed();
  const wasEnabled = revision.summaries.get(environment)?.enabled ?? false;
  if (archivedAt === null && wasEnabled !== enabled) assertNoApprovalNeeded(request, [{ project, environment }]);
}
