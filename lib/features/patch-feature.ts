import * as v from 'valibot';
import type { FlagRequest } from '../entity/effects.ts';
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { patchFields } from '../helpers/apply-patch.ts';
import type { JsonPatch } from '../helpers/json-patch-schema.ts';
import type { PermittedCaller } from '../identity/caller.ts';
import { type Feature, type FeaturePath, metadataOf } from './feature.ts';
import { type FeatureUpdate, featureUpdate } from './feature-schema.ts';
import { changeMetadata } from './update-feature.ts';

/** The fields that a patch can change. As on Unleash, it can test other fields, and changes of them are ignored. */
const changeable: readonly string[] = Object.keys(featureUpdate.entries).filter((field) => field !== 'name');

/**
 * Changes the fields of a feature by a JSON Patch, and returns the complete feature.
 * @throws ApiError 403 for a path to variants; 400 with all invalid paths and values; 409 for a test that fails;
 * otherwise as `changeMetadata` does.
 */
export function patchFeature(request: FlagRequest, caller: PermittedCaller, path: FeaturePath, patch: JsonPatch) {
  return changeMetadata(request, caller, path, (feature) => toFeatureUpdate(feature, patch));
}

/**
 * Converts a patch to an update of the fields whose values it changes.
 * @throws ApiError 403 for a path to variants; 400 with all invalid paths and values; 409 for a test that fails.
 * @internal
 */
export function toFeatureUpdate(feature: Feature, patch: JsonPatch): FeatureUpdate {
  if (patch.some(({ path }) => /^\/variants(\/|$)/.test(path))) {
    throw new ApiError(
      'NoAccessError',
      'Variants are patched at …/features/{featureName}/environments/{environment}/variants.',
    );
  }
  const before = metadataOf(feature);
  // A patch may remove the description, which means null, but no other field.
  const after: Readonly<Record<string, unknown>> = { description: null, ...patchFields(before, patch) };
  const changed = Object.entries(before).flatMap(([field, value]) =>
    changeable.includes(field) && after[field] !== value ? [field] : [],
  );
  const removed = changed
    .filter((field) => !Object.hasOwn(after, field))
    .map((field): ErrorDetail => ({ message: `/${field} cannot be removed.`, path: field }));
  const update = Object.fromEntries(changed.map((field) => [field, after[field]]));
  const { issues = [], output } = v.safeParse(featureUpdate, update);
  const invalid = issues.map((issue) => ({ message: issue.message, path: v.getDotPath(issue) ?? '' }));
  const all = [...removed, ...invalid.filter(({ path }) => !removed.some((problem) => problem.path === path))];
  if (all.length > 0) throw invalidRequest(all);
  return output as FeatureUpdate;
}
