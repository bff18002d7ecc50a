import { type ImportData, importData } from '../../lib/imports/import-data-schema.ts';

const lists = importData.entries.data.entries;
/** Derived from the rest of a file, or of the service that wrote it. */
const derived = ['environments', 'children', 'segments'];

/**
 * Lists the parts of a file that an import does not take, each with the reason.
 * @param sent the data of the file as it stands there, which is an export.
 */
export function notTaken(sent: object, { project, data }: ImportData): string[] {
  const features = (sent as { readonly features: readonly Readonly<Record<string, unknown>>[] }).features;
  const elsewhere = Map.groupBy(
    features.filter((feature) => typeof feature.project === 'string' && feature.project !== project),
    (feature) => feature.project,
  );
  const unknown = features.flatMap((feature) => unknownIn(feature, lists.features.item.entries));
  const inFeatures = Map.groupBy(unknown, (property) => property);
  return [
    ...[...elsewhere].map(
      ([from, moved]) =>
        `the project "${from}" of ${numbered(moved.length)}: all that is imported goes to "${project}".`,
    ),
    ...[...inFeatures].map(
      ([property, all]) => `"${property}" of ${numbered(all.length)}: an import does not know it there.`,
    ),
    ...unknownIn(sent, lists).map((list) => `the list "${list}": an import does not know it.`),
    ...(data.segments.length > 0
      ? ['what segments say: a file has only their names, and those of the service are used.']
      : []),
  ];
}

/** The lists of an object that hold something and are lost. */
function unknownIn(sent: object, entries: object): string[] {
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(entries, name) || derived.includes(name) || !Array.isArray(value) || value.length === 0 ? [] : [name],
  );
}

function numbered(count: number): string {
  return count === 1 ? '1 feature' : `${count} features`;
}
