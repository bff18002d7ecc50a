import { type ImportData, importData } from '../../lib/imports/import-data-schema.ts';

const lists = importData.entries.data.entries;
/** Lists that follow from the rest of a file, or from the service that wrote it. */
const derived = ['environments', 'children', 'segments'];

/**
 * Lists the parts of a file that are not imported, each with the reason.
 * @param sent the data of the file before parsing, which is an export.
 */
export function listNotImported(content: object, { project, environment, data }: ImportData): string[] {
  const [features, strategies, states] = (['features', 'featureStrategies', 'featureEnvironments'] as const).map(
    (list) => (content as Readonly<Record<string, Entries>>)[list] ?? [],
  ) as [Entries, Entries, Entries];
  return [
    ...countOtherTargets(features, 'project', project).map(
      ([from, count]) =>
        `the project "${from}", which ${countOf(count, 'feature')} ${verbFor(count)}: everything is imported into "${project}".`,
    ),
    ...countOtherTargets(states, 'environment', environment).map(
      ([from, count]) =>
        `the environment "${from}", which ${countOf(count, 'feature state')} ${verbFor(count)}: everything is imported into "${environment}".`,
    ),
    ...describeUnknown(features, lists.features.item.entries, 'feature'),
    ...describeUnknown(strategies, lists.featureStrategies.item.entries, 'strategy'),
    ...describeUnknown(states, lists.featureEnvironments.wrapped.item.entries, 'feature state'),
    ...listUnknown(content, lists).map((list) => `the list "${list}": it is unknown.`),
    ...(data.segments.length > 0
      ? ['the content of segments: the file contains only their names, and the segments of the service are used.']
      : []),
  ];
}

type Entries = readonly Readonly<Record<string, unknown>>[];

/** Returns the projects or environments that entries name, except the target of the import, and the number of entries of each. */
function countOtherTargets(entries: Entries, property: 'project' | 'environment', target: string): [string, number][] {
  const names = entries.flatMap((entry) => (typeof entry[property] === 'string' ? entry[property] : []));
  const groups = Map.groupBy(names, (name) => name);
  return [...groups].flatMap(([name, all]) => (name === target ? [] : [[name, all.length]]));
}

/** Describes unknown lists in entries, each with the number of entries that have it. */
function describeUnknown(entries: Entries, known: object, noun: string): string[] {
  const groups = Map.groupBy(
    entries.flatMap((entry) => listUnknown(entry, known)),
    (property) => property,
  );
  return [...groups].map(
    ([property, all]) => `the property "${property}" of ${countOf(all.length, noun)}: it is unknown.`,
  );
}

/** Returns the unknown properties of an object that are lists with content. */
function listUnknown(content: object, known: object): string[] {
  return Object.entries(content).flatMap(([name, value]) =>
    Object.hasOwn(known, name) || derived.includes(name) || !Array.isArray(value) || value.length === 0 ? [] : [name],
  );
}

const verbFor = (count: number) => (count === 1 ? 'names' : 'name');

function countOf(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.replace(/y$/, 'ie')}s`;
}
