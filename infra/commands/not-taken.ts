import { type ImportData, importData } from '../../lib/imports/import-data-schema.ts';

const lists = importData.entries.data.entries;
/** Derived from the rest of a file, or of the service that wrote it. */
const derived = ['environments', 'children', 'segments'];

/**
 * Lists the parts of a file that an import does not take, each with the reason.
 * @param sent the data of the file as it stands there, which is an export.
 */
export function notTaken(sent: object, { project, environment, data }: ImportData): string[] {
  const [features, strategies, states] = (['features', 'featureStrategies', 'featureEnvironments'] as const).map(
    (list) => (sent as Readonly<Record<string, Things>>)[list] ?? [],
  ) as [Things, Things, Things];
  return [
    ...elsewhere(features, 'project', project).map(
      ([from, count]) =>
        `the project "${from}" of ${numbered(count, 'feature')}: all that is imported goes to "${project}".`,
    ),
    ...elsewhere(states, 'environment', environment).map(
      ([from, count]) =>
        `the environment "${from}" of ${numbered(count, 'state')}: all that is imported goes to "${environment}".`,
    ),
    ...unknownInAll(features, lists.features.item.entries, 'feature'),
    ...unknownInAll(strategies, lists.featureStrategies.item.entries, 'strategy'),
    ...unknownInAll(states, lists.featureEnvironments.wrapped.item.entries, 'state'),
    ...unknownIn(sent, lists).map((list) => `the list "${list}": an import does not know it.`),
    ...(data.segments.length > 0
      ? ['what segments say: a file has only their names, and those of the service are used.']
      : []),
  ];
}

type Things = readonly Readonly<Record<string, unknown>>[];

/** The places that things name other than the one where they go, and how many of them. */
function elsewhere(things: Things, place: 'project' | 'environment', target: string): [string, number][] {
  const named = things.flatMap((thing) => (typeof thing[place] === 'string' ? thing[place] : []));
  const groups = Map.groupBy(named, (name) => name);
  return [...groups].flatMap(([name, all]) => (name === target ? [] : [[name, all.length]]));
}

/** The lists that some of many things hold and that are lost, each with the number of these things. */
function unknownInAll(things: Things, entries: object, what: string): string[] {
  const groups = Map.groupBy(
    things.flatMap((thing) => unknownIn(thing, entries)),
    (property) => property,
  );
  return [...groups].map(
    ([property, all]) => `"${property}" of ${numbered(all.length, what)}: an import does not know it there.`,
  );
}

/** The lists of an object that hold something and are lost. */
function unknownIn(sent: object, entries: object): string[] {
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(entries, name) || derived.includes(name) || !Array.isArray(value) || value.length === 0 ? [] : [name],
  );
}

function numbered(count: number, what: string): string {
  if (count === 1) return `1 ${what}`;
  return `${count} ${what.replace(/y$/, 'ie')}s`;
}
