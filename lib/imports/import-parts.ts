import { invalid } from '../errors.ts';
import { splitIntoBatches } from '../store/batch.ts';
import { distinctBy } from '../values/lists.ts';
import { type FeatureInFile, groupByFeature, parentsIn } from './by-feature.ts';
import type { ExportData, ImportData } from './import-data-schema.ts';

const emptyData: ExportData = {
  features: [],
  featureStrategies: [],
  featureEnvironments: [],
  contextFields: [],
  segments: [],
  tagTypes: [],
  dependencies: [],
};

/** The most bytes between neighbouring pieces: a comma in each list that all files have. */
const commasMax = Object.keys(emptyData).length;

/**
 * Splits a file into bodies of at most `bytesMax` bytes that have the same effect if they are sent in order: shared things
 * first, then the features, each after its parents. A file that fits stays whole.
 * @throws ApiError 400 that names a feature which alone is larger than a body.
 */
export function splitImport(file: ImportData, bytesMax: number): ImportData[] {
  if (bytesOf(file) <= bytesMax) return [file];
  const { data } = file;
  const shared = [
    ...data.tagTypes.map((tagType) => ({ ...emptyData, tagTypes: [tagType] })),
    ...data.contextFields.map((field) => ({ ...emptyData, contextFields: [field] })),
    ...data.segments.map((segment) => ({ ...emptyData, segments: [segment] })),
  ];
  const features = splitParentsFirst(data);
  for (const piece of features) {
    const bytes = bytesOf({ ...file, data: piece });
    if (bytes <= bytesMax) continue;
    const [name] = piece.features.map((feature) => feature.name);
    throw invalid(`The feature "${name}" alone takes ${bytes} bytes; a request may have ${bytesMax}.`);
  }
  return [...joinWhileFitting(file, shared, bytesMax), ...joinWhileFitting(file, features, bytesMax)];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Joins pieces, in their order, as long as they fit into one body. */
function joinWhileFitting(file: ImportData, pieces: readonly ExportData[], bytesMax: number): ImportData[] {
  const room = { bytes: bytesMax - bytesOf({ ...file, data: emptyData }) };
  const sizeOf = (piece: ExportData) => ({ bytes: bytesOf(piece) - bytesOf(emptyData) + commasMax });
  return splitIntoBatches(pieces, sizeOf, room).map((part) => ({ ...file, data: joinPieces(part) }));
}

function joinPieces(pieces: readonly ExportData[]): ExportData {
  const links = pieces.flatMap((piece) => (piece.links === undefined ? [] : [piece.links]));
  const tags = pieces.flatMap(({ featureTags }) => (featureTags === undefined ? [] : [featureTags]));
  return {
    features: pieces.flatMap(({ features }) => features),
    featureStrategies: pieces.flatMap(({ featureStrategies }) => featureStrategies),
    featureEnvironments: pieces.flatMap(({ featureEnvironments }) => featureEnvironments),
    contextFields: pieces.flatMap(({ contextFields }) => contextFields),
    // An import replaces tags and links only if its file has their lists, so that a part has them if its file does.
    ...(tags.length > 0 && { featureTags: tags.flat() }),
    ...(links.length > 0 && { links: links.flat() }),
    segments: distinctBy(
      pieces.flatMap(({ segments }) => segments),
      ({ id }) => id,
    ),
    tagTypes: pieces.flatMap(({ tagTypes }) => tagTypes),
    dependencies: pieces.flatMap(({ dependencies }) => dependencies),
  };
}

/** Splits the content of a file by feature, parents first. */
function splitParentsFirst(data: ExportData): ExportData[] {
  const parents = parentsIn(data);
  const isParent = ({ fields }: FeatureInFile) => parents.has(fields.name);
  const sorted = groupByFeature(data).toSorted((a, b) => Number(isParent(b)) - Number(isParent(a)));
  return sorted.map(({ fields, ...lists }) => {
    const used = new Set(lists.featureStrategies.flatMap(({ segments = [] }) => segments));
    return { ...emptyData, ...lists, features: [fields], segments: data.segments.filter(({ id }) => used.has(id)) };
  });
}
