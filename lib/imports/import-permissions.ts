import type { EnvironmentSummary } from '../features/items/feature-items.ts';
import { type Caller, permitted } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import { byFeature, type FeatureInFile } from './by-feature.ts';
import type { ExportData } from './import-data-schema.ts';
import type { ImportReferences } from './import-references.ts';

/**
 * Asks for what the file needs in the target, all of it.
 * @throws ApiError 403 that names the first permission that is missing.
 */
export function assertMayImport(caller: Caller, data: ExportData, references: ImportReferences, isAsking: boolean) {
  for (const permission of neededPermissions(data, references, isAsking)) {
    permitted(caller, [permission], references.project.id, references.environment);
  }
}

/** Lists the permissions that the file needs in the target and the caller lacks. */
export function missingPermissions(
  caller: Caller,
  data: ExportData,
  references: ImportReferences,
  isAsking: boolean,
): Permission[] {
  const needed: Permission[] = ['UPDATE_FEATURE', ...neededPermissions(data, references, isAsking)];
  return needed.filter((permission) => !caller.may(permission, references.project.id, references.environment));
}

/** Permissions for what is asked for, and not done, where changes need approval. */
const ofAsked: ReadonlySet<Permission> = new Set([
  'DELETE_FEATURE',
  'UPDATE_FEATURE_ENVIRONMENT',
  'CREATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'UPDATE_FEATURE_DEPENDENCY',
]);

function neededPermissions(data: ExportData, references: ImportReferences, isAsking: boolean): Permission[] {
  const { environment, features, contextFields, tagTypes } = references;
  const summaryOf = (name: string) => features.get(name)?.revision.summaries.get(environment);
  const changesIn = (isChange: (file: FeatureInFile, before: EnvironmentSummary | undefined) => boolean) =>
    byFeature(data).some((file) => isChange(file, summaryOf(file.fields.name)));
  const needs: [Permission, boolean][] = [
    ['CREATE_FEATURE', data.features.some(({ name }) => !features.has(name))],
    ['DELETE_FEATURE', data.features.some(({ name, archived }) => archived && features.get(name)?.archivedAt === null)],
    ['UPDATE_FEATURE_ENVIRONMENT', changesIn((file, before) => isOnAfter(file, before) !== (before?.enabled ?? false))],
    // A feature that is on gets a strategy where the file has none for it.
    ['CREATE_FEATURE_STRATEGY', data.featureStrategies.length > 0 || changesIn(isOnAfter)],
    [
      'DELETE_FEATURE_STRATEGY',
      [...features.values()].some(({ revision }) => (revision.summaries.get(environment)?.strategies ?? 0) > 0),
    ],
    [
      'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
      changesIn(({ featureEnvironments }, before) =>
        featureEnvironments.some(({ variants }) => variants && variants.length + (before?.variants ?? 0) > 0),
      ),
    ],
    ['UPDATE_FEATURE_DEPENDENCY', data.dependencies.some(({ dependencies }) => dependencies.length > 0)],
    ['CREATE_CONTEXT_FIELD', data.contextFields.some(({ name }) => !contextFields.has(name))],
    ['CREATE_TAG_TYPE', data.tagTypes.some(({ name }) => !tagTypes.has(name))],
  ];
  return needs.flatMap(([permission, isNeeded]) =>
    isNeeded && !(isAsking && ofAsked.has(permission)) ? [permission] : [],
  );
}

/** Tells whether a feature is on after the import: as the file says, otherwise as before. */
function isOnAfter({ featureEnvironments }: FeatureInFile, before: EnvironmentSummary | undefined): boolean {
  return featureEnvironments.at(-1)?.enabled ?? before?.enabled ?? false;
}
