import * as v from 'valibot';
import type { FlagRequest } from '../entity/step.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { patchFields } from '../helpers/apply-patch.ts';
import type { JsonPatch } from '../helpers/json-patch-schema.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { type Feature, metadataOf } from './feature.ts';
import { type FeatureUpdate, featureUpdate } from './feature-schema.ts';
import { changeMetadata, type MetadataPlace } from './update-feature.ts';

/** The fields that a patch may change. It may test the others, and what it would change of them is ignored, as on Unleash. */
const changeable: readonly string[] = Object.keys(featureUpdate.entries).filter((field) => field !== 'name');

/**
 * Changes the fields of a feature by a JSON Patch of its own fields, and returns the complete feature.
 * @throws ApiError 403 to archive it without the permission, and for a path to variants; 404 for an unknown project or feature; 400 with every path
 * and value that is invalid; 409 for a test that fails; 412 by `If-Match`.
 */
export function patchFeature(request: FlagRequest, caller: PermittedCaller, place: MetadataPlace, patch: JsonPatch) {
  return changeMetadata(request, caller, place, (feature) => updateOf(feature, patch));
}

/**
 * Returns the update that a patch amounts to: the fields whose values it changes.
 * @throws ApiError 403 for a path to variants; 400 with every path and value that is invalid; 409 for a test that fails.
 * @internal
 */
export function updateOf(feature: Feature, patch: JsonPatch): FeatureUpdate {
  if (patch.some(({ path }) => /^\/variants(\/|$)/.test(path))) {
    throw new ApiError(
      'NoAccessError',
      'Variants are patched at …/features/{featureName}/environments/{environment}/variants.',
    );
  }
  const before = metadataOf(feature);
  // A description may be missing, which null stands for; nothing else may.
  const after: Readonly<Record<string, unknown>> = { description: null, ...patchFields(before, patch) };
  const changed = Object.entries(before).flatMap(([field, value]) =>
    changeable.includes(field) && after[field] !== value ? [field] : [],
  );
  const problems = changed
    .filter((field) => !Object.hasOwn(after, field))
    .map((field): ErrorDetail => ({ message: `/${field} cannot be removed.`, path: field }));
  const update = Object.fromEntries(changed.map((field) => [field, after[field]]));
  const { issues = [], output } = v.safeParse(featureUpdate, update);
  const invalid = issues.map((issue) => ({ message: issue.message, path: v.getDotPath(issue) ?? '' }));
  const all = [...problems, ...invalid.filter(({ path }) => !problems.some((problem) => problem.path === path))];
  if (all.length > 0) throw invalidRequest(all);
  return output as FeatureUpdate;
}
