import { invalid } from '../errors.ts';
import { pack } from '../store/pack.ts';
import { distinctBy } from '../values/lists.ts';
import { byFeature, type FeatureInFile, parentsIn } from './by-feature.ts';
import type { ExportData, ImportData } from './import-data-schema.ts';

const nothing: ExportData = {
  features: [],
  featureStrategies: [],
  featureEnvironments: [],
  contextFields: [],
  segments: [],
  tagTypes: [],
  dependencies: [],
};

/** Limit of the bytes between neighbouring pieces: a comma in each list that all of them have. */
const commasMax = Object.keys(nothing).length;

/**
 * Cuts a file into bodies of at most `bytesMax` bytes that make the same when they are sent one after the other: first
 * what features share, then the features, none before the parents that it depends on. A file that fits stays whole.
 * @throws ApiError 400 that names the feature which alone is larger than a body.
 */
export function importParts(file: ImportData, bytesMax: number): ImportData[] {
  if (bytesOf(file) <= bytesMax) return [file];
  const { data } = file;
  const shared = [
    ...data.tagTypes.map((tagType) => ({ ...nothing, tagTypes: [tagType] })),
    ...data.contextFields.map((field) => ({ ...nothing, contextFields: [field] })),
    ...data.segments.map((segment) => ({ ...nothing, segments: [segment] })),
  ];
  const features = parentsFirst(data);
  for (const piece of features) {
    const bytes = bytesOf({ ...file, data: piece });
    if (bytes <= bytesMax) continue;
    const [name] = piece.features.map((feature) => feature.name);
    throw invalid(`The feature "${name}" alone takes ${bytes} bytes; a request may have ${bytesMax}.`);
  }
  return [...filled(file, shared, bytesMax), ...filled(file, features, bytesMax)];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Puts pieces together, in their order, as long as they fit. */
function filled(file: ImportData, pieces: readonly ExportData[], bytesMax: number): ImportData[] {
  const room = { bytes: bytesMax - bytesOf({ ...file, data: nothing }) };
  const sizeOf = (piece: ExportData) => ({ bytes: bytesOf(piece) - bytesOf(nothing) + commasMax });
  return pack(pieces, sizeOf, room).map((part) => ({ ...file, data: joined(part) }));
}

function joined(pieces: readonly ExportData[]): ExportData {
  const links = pieces.flatMap((piece) => (piece.links === undefined ? [] : [piece.links]));
  const tags = pieces.flatMap(({ featureTags }) => (featureTags === undefined ? [] : [featureTags]));
  return {
    features: pieces.flatMap(({ features }) => features),
    featureStrategies: pieces.flatMap(({ featureStrategies }) => featureStrategies),
    featureEnvironments: pieces.flatMap(({ featureEnvironments }) => featureEnvironments),
    contextFields: pieces.flatMap(({ contextFields }) => contextFields),
    // Tags and links are replaced where a file speaks of them at all, so a part does exactly when its file does.
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

/** Sorts the content of a file by feature: parents come first, and depend on none. */
function parentsFirst(data: ExportData): ExportData[] {
  const parents = parentsIn(data);
  const isParent = ({ fields }: FeatureInFile) => parents.has(fields.name);
  const sorted = byFeature(data).toSorted((a, b) => Number(isParent(b)) - Number(isParent(a)));
  return sorted.map(({ fields, ...more }) => {
    const used = new Set(more.featureStrategies.flatMap(({ segments = [] }) => segments));
    return { ...nothing, ...more, features: [fields], segments: data.segments.filter(({ id }) => used.has(id)) };
  });
}
