import type { ImportData } from '../../lib/imports/import-data-schema.ts';
import type { Source } from './ask-service.ts';
import { type Export, fetchExport, fetchNames, listNames } from './fetch-export.ts';

/** The state of a service, as far as a file is about it. */
export interface ServiceState {
  /** All that an export says of each feature, by its name. */
  readonly features: ReadonlyMap<string, string>;
  /** The names of those features that are archived. */
  readonly archived: ReadonlySet<string>;
  readonly contextFields: ReadonlySet<string>;
  readonly tagTypes: ReadonlySet<string>;
}

/**
 * Reads the features of a file that a service has already, with its context fields and tag types.
 * @throws Problem with what the service says against it.
 */
export async function readServiceState(
  source: Source,
  { project, environment, data }: ImportData,
): Promise<ServiceState> {
  const place = `/api/admin/projects/${encodeURIComponent(project)}`;
  const [live, archived, fields, ownFields, types] = await Promise.all([
    listNames(source, { environment, project }),
    listNames(source, { environment, project }, 'archived'),
    fetchNames(source, '/api/admin/context'),
    fetchNames(source, `${place}/context`),
    fetchNames(source, '/api/admin/tag-types'),
  ]);
  const wanted = new Set(data.features.map(({ name }) => name));
  const features = [...live, ...archived].filter((name) => wanted.has(name));
  return {
    features: contents(await fetchExport(source, { environment, features })),
    archived: new Set(archived.filter((name) => wanted.has(name))),
    contextFields: new Set([...fields, ...ownFields]),
    tagTypes: new Set(types),
  };
}

/**
 * Returns the content of each feature without its shared members, which are compared by themselves; a strategy has a
 * new id where an import replaces it.
 */
function contents({ contextFields: _, segments: _segments, tagTypes: _types, ...own }: Export): Map<string, string> {
  const parts = Object.entries(own).flatMap(([list, things]) =>
    things.map(({ id: _id, ...thing }) => ({
      feature: String(thing.featureName ?? thing.feature ?? thing.name),
      text: JSON.stringify([list, thing]),
    })),
  );
  const byFeature = Map.groupBy(parts, ({ feature }) => feature);
  return new Map([...byFeature].map(([name, list]) => [name, list.map(({ text }) => text).join()]));
}

/** Describes the changes that an import has made, in words. */
export function outcome({ data }: ImportData, before: ServiceState, after: ServiceState): string[] {
  const names = data.features.map(({ name }) => name);
  const created = names.filter((name) => !before.features.has(name));
  const left = names.filter(
    (name) => before.features.has(name) && before.features.get(name) === after.features.get(name),
  );
  const changed = names.length - created.length - left.length;
  const alsoCreated = [
    ...newOf('context field', before.contextFields, after.contextFields),
    ...newOf('tag type', before.tagTypes, after.tagTypes),
  ];
  return [
    `Features: ${created.length} created, ${changed} changed, ${left.length} left as they were.`,
    ...(alsoCreated.length > 0 ? [`Also created: ${alsoCreated.join(', ')}.`] : []),
  ];
}

function newOf(kind: string, before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  return [...after].filter((name) => !before.has(name)).map((name) => `${kind} "${name}"`);
}

/** Lists the parts of a file of which a service keeps its own, each with the reason. */
export function keptOf({ data }: ImportData, before: ServiceState): string[] {
  const kept = [
    ...data.contextFields
      .filter(({ name }) => before.contextFields.has(name))
      .map(({ name }) => `context field "${name}"`),
    ...data.tagTypes.filter(({ name }) => before.tagTypes.has(name)).map(({ name }) => `tag type "${name}"`),
  ];
  return [
    ...[...before.archived].map(
      (name) => `feature "${name}": archived there, and left out; revive it first to import it.`,
    ),
    ...(kept.length === 0 ? [] : [`${kept.join(', ')}: there already, and left as they are.`]),
  ];
}
