import type { ImportData } from '../../lib/imports/import-data-schema.ts';
import type { Source } from './ask-service.ts';
import { type Export, fetchExport, fetchNames, listNames } from './fetch-export.ts';

/** The state of a service for the things in an export. */
export interface ServiceState {
  /** The exported content of each feature, by its name. */
  readonly features: ReadonlyMap<string, string>;
  /** The names of the archived features. */
  readonly archived: ReadonlySet<string>;
  readonly contextFields: ReadonlySet<string>;
  readonly tagTypes: ReadonlySet<string>;
}

/**
 * Loads the features of a file that the service already has, and all its context fields and tag types.
 * @throws Problem with the error of the service.
 */
export async function loadServiceState(
  source: Source,
  { project, environment, data }: ImportData,
): Promise<ServiceState> {
  const path = `/api/admin/projects/${encodeURIComponent(project)}`;
  const [live, archived, fields, ownFields, types] = await Promise.all([
    listNames(source, { environment, project }),
    listNames(source, { environment, project }, 'archived'),
    fetchNames(source, '/api/admin/context'),
    fetchNames(source, `${path}/context`),
    fetchNames(source, '/api/admin/tag-types'),
  ]);
  const wanted = new Set(data.features.map(({ name }) => name));
  const features = [...live, ...archived].filter((name) => wanted.has(name));
  return {
    features: contentByFeature(await fetchExport(source, { environment, features })),
    archived: new Set(archived.filter((name) => wanted.has(name))),
    contextFields: new Set([...fields, ...ownFields]),
    tagTypes: new Set(types),
  };
}

/**
 * Returns the content of each feature. Lists that features share are left out, since they are compared on their own, and so are
 * ids, since an import replaces a strategy with a new id.
 */
function contentByFeature({
  contextFields: _,
  segments: _segments,
  tagTypes: _types,
  ...own
}: Export): Map<string, string> {
  const parts = Object.entries(own).flatMap(([list, entries]) =>
    entries.map(({ id: _id, ...entry }) => ({
      feature: String(entry.featureName ?? entry.feature ?? entry.name),
      text: JSON.stringify([list, entry]),
    })),
  );
  const byFeature = Map.groupBy(parts, ({ feature }) => feature);
  return new Map([...byFeature].map(([name, list]) => [name, list.map(({ text }) => text).join()]));
}

/** Describes the changes of an import. */
export function describeOutcome({ data }: ImportData, before: ServiceState, after: ServiceState): string[] {
  const names = data.features.map(({ name }) => name);
  const created = names.filter((name) => !before.features.has(name));
  const unchanged = names.filter(
    (name) => before.features.has(name) && before.features.get(name) === after.features.get(name),
  );
  const changed = names.length - created.length - unchanged.length;
  const alsoCreated = [
    ...listNew('context field', before.contextFields, after.contextFields),
    ...listNew('tag type', before.tagTypes, after.tagTypes),
  ];
  return [
    `Features: ${created.length} created, ${changed} changed, ${unchanged.length} unchanged.`,
    ...(alsoCreated.length > 0 ? [`Also created: ${alsoCreated.join(', ')}.`] : []),
  ];
}

function listNew(kind: string, before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...after].filter((name) => !before.has(name)).map((name) => `${kind} "${name}"`);
}

/** Lists the parts of a file that an import skips because the service has them already, each with the reason. */
export function listSkipped({ data }: ImportData, before: ServiceState): string[] {
  const existing = [
    ...data.contextFields
      .filter(({ name }) => before.contextFields.has(name))
      .map(({ name }) => `context field "${name}"`),
    ...data.tagTypes.filter(({ name }) => before.tagTypes.has(name)).map(({ name }) => `tag type "${name}"`),
  ];
  return [
    ...[...before.archived].map(
      (name) => `feature "${name}": archived in the service, and not imported; revive it first to import it.`,
    ),
    ...(existing.length === 0 ? [] : [`${existing.join(', ')}: already in the service, and not changed.`]),
  ];
}
