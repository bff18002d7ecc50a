import type { EnvironmentSummary } from '../features/items/environment-summary.ts';
import { assertMayAll, type Caller } from '../identity/caller.ts';
import type { Permission } from '../identity/permissions.ts';
import { type FeatureInFile, groupByFeature } from './by-feature.ts';
import type { ExportData } from './import-data-schema.ts';
import type { ImportReferences } from './import-references.ts';

/**
 * Requires the permissions that a file needs in its target.
 * @throws ApiError 403 that names all missing ones.
 */
export function assertMayImport(caller: Caller, data: ExportData, references: ImportReferences, isRequesting: boolean) {
  assertMayAll(caller, listNeededPermissions(data, references, isRequesting));
}

/** Lists the permissions that a file needs in its target and the caller lacks. */
export function listMissingPermissions(
  caller: Caller,
  data: ExportData,
  references: ImportReferences,
  isRequesting: boolean,
): Permission[] {
  const { project, environment } = references;
  return [
    'UPDATE_FEATURE' as const,
    ...listNeededPermissions(data, references, isRequesting).map(({ permission }) => permission),
  ].filter((permission) => !caller.may(permission, project.id, environment));
}

/** The permissions of changes that an import only requests if they need approval. */
const permissionsOfRequests: ReadonlySet<Permission> = new Set([
  'DELETE_FEATURE',
  'UPDATE_FEATURE_ENVIRONMENT',
  'CREATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'UPDATE_FEATURE_DEPENDENCY',
]);

const environmentPermissions: ReadonlySet<Permission> = new Set([
  'UPDATE_FEATURE_ENVIRONMENT',
  'CREATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
]);

function listNeededPermissions(data: ExportData, references: ImportReferences, isRequesting: boolean) {
  const { project, environment, features, contextFields, tagTypes } = references;
  const summaryOf = (name: string) => features.get(name)?.revision.summaries.get(environment);
  const changesIn = (isChange: (file: FeatureInFile, before: EnvironmentSummary | undefined) => boolean) =>
    groupByFeature(data).some((file) => isChange(file, summaryOf(file.fields.name)));
  const needs: [Permission, boolean][] = [
    ['CREATE_FEATURE', data.features.some(({ name }) => !features.has(name))],
    ['DELETE_FEATURE', data.features.some(({ name, archived }) => archived && features.get(name)?.archivedAt === null)],
    ['UPDATE_FEATURE_ENVIRONMENT', changesIn((file, before) => isOnAfter(file, before) !== (before?.enabled ?? false))],
    // A feature that is on gets a strategy if the file has none for it.
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
    isNeeded && !(isRequesting && permissionsOfRequests.has(permission))
      ? [{ permission, project: project.id, ...(environmentPermissions.has(permission) && { environment }) }]
      : [],
  );
}

/** Tells whether a feature is on after the import. If the file does not say so, its state stays. */
function isOnAfter({ featureEnvironments }: FeatureInFile, before: EnvironmentSummary | undefined): boolean {
  return featureEnvironments.at(-1)?.enabled ?? before?.enabled ?? false;
}
