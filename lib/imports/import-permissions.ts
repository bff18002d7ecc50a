import type { ExportData } from '../schemas/import-data.ts';
import { assertMay, type Caller } from '../users/caller.ts';
import type { Permission } from '../users/permissions.ts';
import type { ImportReferences } from './import-references.ts';

/**
 * Asks for what the file needs in the target, all of it.
 * @throws ApiError 403 that names the first permission that is missing.
 */
export function assertMayImport(caller: Caller, data: ExportData, references: ImportReferences): void {
  for (const permission of neededPermissions(data, references)) {
    assertMay(caller, [permission], references.project.id, references.environment);
  }
}

/** Those of the permissions that the file needs in the target which the caller lacks. */
export function missingPermissions(caller: Caller, data: ExportData, references: ImportReferences): Permission[] {
  const needed: Permission[] = ['UPDATE_FEATURE', ...neededPermissions(data, references)];
  return needed.filter((permission) => !caller.may(permission, references.project.id, references.environment));
}

function neededPermissions(data: ExportData, references: ImportReferences): Permission[] {
  const { environment, features, contextFields, tagTypes } = references;
  const needs: [Permission, boolean][] = [
    ['CREATE_FEATURE', data.features.some(({ name }) => !features.has(name))],
    ['CREATE_FEATURE_STRATEGY', data.featureStrategies.length > 0],
    [
      'DELETE_FEATURE_STRATEGY',
      [...features.values()].some(({ revision }) => (revision.summaries.get(environment)?.strategies ?? 0) > 0),
    ],
    ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', data.featureEnvironments.some(({ variants = [] }) => variants.length > 0)],
    ['UPDATE_FEATURE_DEPENDENCY', data.dependencies.some(({ dependencies }) => dependencies.length > 0)],
    ['CREATE_CONTEXT_FIELD', data.contextFields.some(({ name }) => !contextFields.has(name))],
    ['CREATE_TAG_TYPE', data.tagTypes.some(({ name }) => !tagTypes.has(name))],
  ];
  return needs.flatMap(([permission, isNeeded]) => (isNeeded ? [permission] : []));
}
