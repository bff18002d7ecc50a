import { isDeepStrictEqual } from 'node:util';
import type { FlagRequest } from '../../entity/effects.ts';
import { ApiError, type ErrorDetail, requireValid } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { applyPatch } from '../../helpers/apply-patch.ts';
import type { JsonPatch } from '../../helpers/json-patch-schema.ts';
import { assertMayAll, type PermittedCaller } from '../../identity/caller.ts';
import { type Project, projectEnvironmentOf, requireEnvironment } from '../../projects/projects.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { changeFeature } from '../change-feature.ts';
import { type LiveChangePlan, planLiveChange } from '../change-live.ts';
import { environmentOfFeature, type Feature, withFeatureEnvironment } from '../feature.ts';
import { featureVariantsUpdated } from '../feature-events.ts';
import { loadFeature, loadFeatureIn } from '../feature-store.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import { withFinalWeights } from '../strategies/strategy.ts';
import type { FeaturePath } from '../update-feature.ts';
import type { EnvironmentPath } from './change-environment.ts';
import { type FeatureVariant, type NewFeatureVariant, newFeatureVariants } from './variant-schema.ts';

type Variants = readonly FeatureVariant[];

/** Number of environments that a project has by default. */
const likelyEnvironments = 2;

/** Returns the new variants of an environment. */
type Revise = (before: Variants) => Variants;

/** Returns the variants as they are given, with final weights. */
export function overwritten(variants: readonly NewFeatureVariant[]): Revise {
  const after = withFinalWeights(variants);
  return () => after;
}

/**
 * Returns the variants after a JSON Patch, with final weights.
 * @throws ApiError 400 for a path that leads nowhere, and for what variants cannot be; 409 for a test that fails.
 */
export function buildPatchRevision(patch: JsonPatch): Revise {
  return (before) => withFinalWeights(requireValid(newFeatureVariants, applyPatch(before, patch)));
}

/**
 * Changes the variants of a feature in one environment, and results in them.
 * @throws ApiError 404 for an unknown project, environment or feature; what `revise` and `assertChangeable` throw.
 */
export function planChangeVariants(
  request: Request,
  path: EnvironmentPath,
  revise: Revise,
  assertChangeable: ChangeOfVariants['assertChangeable'] = () => {},
) {
  const { featureName, environment } = path;
  return changingVariants(request, path, {
    load: () => loadFeatureIn(request, featureName, [environment]),
    likelyEvents: 1,
    environmentsIn: (project) => [requireEnvironment(project, environment).name],
    revise,
    assertChangeable,
  });
}

/**
 * Applies a JSON Patch to the variants of a feature in one environment, and results in them.
 * @throws ApiError 403 where the feature has variants in no environment, as on Unleash, which wants those of strategies; 404 for an
 * unknown project, environment or feature; what `buildPatchRevision` throws.
 */
export function planPatchVariants(request: Request, path: EnvironmentPath, patch: JsonPatch) {
  return planChangeVariants(request, path, buildPatchRevision(patch), assertHasVariants);
}

function assertHasVariants({ revision }: StoredFeature): void {
  if ([...revision.summaries.values()].some(({ variants }) => variants > 0)) return;
  throw new ApiError('NoAccessError', 'The feature has no variants to patch. Give its strategies variants instead.');
}

/**
 * Changes the variants of a feature in all environments of its project together, each based on its own variants, and
 * returns those of the first one.
 * @throws ApiError 403 that names all environments where they change and the caller lacks the permission; 404 for an unknown project or
 * feature; what `revise` throws; 412 by `If-Match`.
 */
export function changeVariantsEverywhere(
  request: FlagRequest,
  caller: PermittedCaller,
  path: FeaturePath,
  revise: Revise,
): Promise<Versioned<Variants>> {
  const change = changingVariants(request, path, {
    load: () => loadFeature(request, path.featureName),
    likelyEvents: likelyEnvironments,
    environmentsIn: ({ environments }) => environments.map(({ name }) => name),
    revise,
    assertMayIn: (environments) =>
      assertMayAll(
        caller,
        environments.map((environment) => {
          return { permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', project: path.projectId, environment };
        }),
      ),
  });
  return changeFeature(request, caller, change);
}

/**
 * Gives a feature the same variants in several environments together, and returns them.
 * @throws ApiError 404 for an unknown project or feature, and with all environments that are unknown; 412 by
 * `If-Match`.
 */
export function overwriteVariantsIn(
  request: FlagRequest,
  actor: Actor,
  path: FeaturePath,
  environments: readonly string[],
  variants: readonly NewFeatureVariant[],
): Promise<Versioned<Variants>> {
  const change = changingVariants(request, path, {
    load: () => loadFeatureIn(request, path.featureName, [...new Set(environments)]),
    likelyEvents: environments.length,
    environmentsIn: (project) => requireEnvironments(project, environments),
    revise: overwritten(variants),
  });
  return changeFeature(request, actor, change);
}

interface ChangeOfVariants
  extends Pick<LiveChangePlan<undefined, Variants>, 'likelyEvents' | 'load' | 'environmentsIn'> {
  readonly revise: Revise;
  /** @throws ApiError 403 where the caller may not change them; asked of all environments where they change. */
  readonly assertMayIn?: (environments: readonly string[]) => void;
  /** @throws ApiError where the feature, as it is, is not changed in this way. */
  readonly assertChangeable?: (stored: StoredFeature) => void;
}

function changingVariants(
  request: Request,
  path: FeaturePath,
  { revise, assertMayIn, assertChangeable, ...reading }: ChangeOfVariants,
) {
  return planLiveChange<undefined, Variants>(request, path, {
    ...reading,
    decide: ({ stored, feature, environments }) => {
      let after: Feature = feature;
      const events: NewEvent[] = [];
      const changed: string[] = [];
      for (const environment of environments) {
        const state = environmentOfFeature(after, environment);
        const variants = revise(state.variants);
        if (isDeepStrictEqual(variants, state.variants)) continue;
        changed.push(environment);
        after = withFeatureEnvironment(after, environment, { ...state, variants });
        events.push(featureVariantsUpdated(after, environment, state.variants));
      }
      assertMayIn?.(changed);
      assertChangeable?.(stored);
      const [first] = environments;
      return { after, events, value: first === undefined ? [] : environmentOfFeature(after, first).variants };
    },
  });
}

function requireEnvironments(project: Project, names: readonly string[]): string[] {
  const problems = names.flatMap((name, index): ErrorDetail[] =>
    projectEnvironmentOf(project, name) !== undefined
      ? []
      : [
          {
            message: `There is no environment "${name.slice(0, 100)}" in the project "${project.id}".`,
            path: `environments.${index}`,
          },
        ],
  );
  if (problems.length > 0) throw new ApiError('NotFoundError', problems[0]?.message ?? '', problems);
  return [...new Set(names)];
}
