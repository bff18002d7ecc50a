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
import { environmentOfFeature, type Feature, type FeaturePath, withFeatureEnvironment } from '../feature.ts';
import { featureVariantsUpdated } from '../feature-events.ts';
import { loadFeature, loadFeatureIn } from '../feature-store.ts';
import type { StoredFeature } from '../items/feature-items.ts';
import { withFinalWeights } from '../strategies/strategy.ts';
import type { EnvironmentPath } from './change-environment.ts';
import { type FeatureVariant, type NewFeatureVariant, newFeatureVariants } from './variant-schema.ts';

type Variants = readonly FeatureVariant[];

/** Number of environments that a project has by default. */
const likelyEnvironments = 2;

/** Returns the new variants of an environment. */
type Revise = (before: Variants) => Variants;

/** Returns a revision that replaces all variants by the given ones, with final weights. */
export function buildOverwrite(variants: readonly NewFeatureVariant[]): Revise {
  const after = withFinalWeights(variants);
  return () => after;
}

/**
 * Returns a revision by a JSON Patch, with final weights.
 * @throws ApiError from the revision: 400 for an unknown path or invalid variants; 409 for a test that fails.
 */
export function buildPatchRevision(patch: JsonPatch): Revise {
  return (before) => withFinalWeights(requireValid(newFeatureVariants, applyPatch(before, patch)));
}

/**
 * Plans to change the variants of a feature in one environment. The result is all variants there.
 * @throws ApiError 404 for an unknown project, environment or feature; what `revise` and `assertChangeable` throw.
 */
export function planChangeVariants(
  request: Request,
  path: EnvironmentPath,
  revise: Revise,
  assertChangeable: VariantsChangePlan['assertChangeable'] = () => {},
) {
  const { featureName, environment } = path;
  return planVariantsChange(request, path, {
    load: () => loadFeatureIn(request, featureName, [environment]),
    likelyEvents: 1,
    environmentsIn: (project) => [requireEnvironment(project, environment).name],
    revise,
    assertChangeable,
  });
}

/**
 * Plans to apply a JSON Patch to the variants of a feature in one environment. The result is all variants there.
 * @throws ApiError 403 if the feature has no variants in any environment: as on Unleash, new variants belong to
 * strategies; 404 for an unknown project, environment or feature; what `buildPatchRevision` throws.
 */
export function planPatchVariants(request: Request, path: EnvironmentPath, patch: JsonPatch) {
  return planChangeVariants(request, path, buildPatchRevision(patch), assertHasVariants);
}

function assertHasVariants({ revision }: StoredFeature): void {
  if ([...revision.summaries.values()].some(({ variants }) => variants > 0)) return;
  throw new ApiError('NoAccessError', 'The feature has no variants to patch. Give its strategies variants instead.');
}

/**
 * Revises the variants of a feature in each environment of its project, in one transaction, and returns those of the
 * first environment.
 * @throws ApiError 403 with all changed environments for which the caller lacks the permission; 404 for an unknown
 * project or feature; what `revise` throws; 412 if `If-Match` does not match.
 */
export function changeVariantsEverywhere(
  request: FlagRequest,
  caller: PermittedCaller,
  path: FeaturePath,
  revise: Revise,
): Promise<Versioned<Variants>> {
  const change = planVariantsChange(request, path, {
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
 * Gives a feature the same variants in several environments, in one transaction, and returns them.
 * @throws ApiError 404 for an unknown project or feature, or with all unknown environments; 412 if `If-Match` does not match.
 */
export function overwriteVariants(
  request: FlagRequest,
  actor: Actor,
  path: FeaturePath,
  environments: readonly string[],
  variants: readonly NewFeatureVariant[],
): Promise<Versioned<Variants>> {
  const change = planVariantsChange(request, path, {
    load: () => loadFeatureIn(request, path.featureName, [...new Set(environments)]),
    likelyEvents: environments.length,
    environmentsIn: (project) => requireEnvironments(project, environments),
    revise: buildOverwrite(variants),
  });
  return changeFeature(request, actor, change);
}

interface VariantsChangePlan
  extends Pick<LiveChangePlan<undefined, Variants>, 'likelyEvents' | 'load' | 'environmentsIn'> {
  readonly revise: Revise;
  /** @throws ApiError 403 if the caller lacks the permission in one of the changed environments. */
  readonly assertMayIn?: (environments: readonly string[]) => void;
  /** @throws ApiError if this feature cannot be changed in this way. */
  readonly assertChangeable?: (stored: StoredFeature) => void;
}

function planVariantsChange(
  request: Request,
  path: FeaturePath,
  { revise, assertMayIn, assertChangeable, ...plan }: VariantsChangePlan,
) {
  return planLiveChange<undefined, Variants>(request, path, {
    ...plan,
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
