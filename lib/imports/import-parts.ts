import { invalid } from '../errors.ts';
import type { ExportData, ImportData } from '../schemas/import-data.ts';

/** A feature with all that a file says of it: what must not be cut apart. */
interface FeatureUnit {
  readonly names: readonly string[];
  readonly data: ExportData;
}

const nothing: ExportData = {
  features: [],
  featureStrategies: [],
  featureEnvironments: [],
  contextFields: [],
  segments: [],
  tagTypes: [],
  dependencies: [],
};

/** What stands between a piece and its neighbour: a comma in each list. */
const commasMax = Object.keys(nothing).length + 1;

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
  const units = parentsFirst(featureUnits(data));
  for (const { names, data: unit } of units) {
    const bytes = bytesOf({ ...file, data: unit });
    if (bytes > bytesMax) {
      throw invalid(`The feature "${names.join('", "')}" alone takes ${bytes} bytes; a request may have ${bytesMax}.`);
    }
  }
  return [
    ...filled(file, shared, bytesMax),
    ...filled(
      file,
      units.map((unit) => unit.data),
      bytesMax,
    ),
  ];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Puts pieces together, in their order, as long as they fit. */
function filled(file: ImportData, pieces: readonly ExportData[], bytesMax: number): ImportData[] {
  const empty = bytesOf({ ...file, data: nothing }) + bytesOf({ featureTags: [] });
  const parts: ExportData[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const size = bytesOf(piece) - bytesOf(nothing) + commasMax;
    if (bytes + size > bytesMax) {
      parts.push([]);
      bytes = empty;
    }
    parts.at(-1)?.push(piece);
    bytes += size;
  }
  return parts.map((part) => ({ ...file, data: joined(part) }));
}

function joined(pieces: readonly ExportData[]): ExportData {
  const tags = pieces.flatMap(({ featureTags }) => (featureTags === undefined ? [] : [featureTags]));
  return {
    features: pieces.flatMap(({ features }) => features),
    featureStrategies: pieces.flatMap(({ featureStrategies }) => featureStrategies),
    featureEnvironments: pieces.flatMap(({ featureEnvironments }) => featureEnvironments),
    contextFields: pieces.flatMap(({ contextFields }) => contextFields),
    // Tags are replaced where a file speaks of tags at all, so a part does exactly when its file does.
    ...(tags.length > 0 && { featureTags: tags.flat() }),
    segments: [...new Map(pieces.flatMap(({ segments }) => segments).map((segment) => [segment.id, segment])).values()],
    tagTypes: pieces.flatMap(({ tagTypes }) => tagTypes),
    dependencies: pieces.flatMap(({ dependencies }) => dependencies),
  };
}

function featureUnits(data: ExportData): FeatureUnit[] {
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName);
  const states = Map.groupBy(data.featureEnvironments, ({ featureName, name }) => featureName ?? name);
  const tags = data.featureTags && Map.groupBy(data.featureTags, ({ featureName }) => featureName);
  const dependencies = Map.groupBy(data.dependencies, ({ feature }) => feature);
  return data.features.map((feature) => {
    const { name } = feature;
    const featureStrategies = strategies.get(name) ?? [];
    const segmentIds = new Set(featureStrategies.flatMap(({ segments = [] }) => segments));
    return {
      names: [name],
      data: {
        ...nothing,
        features: [feature],
        featureStrategies,
        featureEnvironments: states.get(name) ?? [],
        ...(tags && { featureTags: tags.get(name) ?? [] }),
        segments: data.segments.filter(({ id }) => segmentIds.has(id)),
        dependencies: dependencies.get(name) ?? [],
      },
    };
  });
}

/** Parents before children; features that depend on each other in a circle become one unit, the last. */
function parentsFirst(units: readonly FeatureUnit[]): FeatureUnit[] {
  const ordered: FeatureUnit[] = [];
  let waiting = [...units];
  while (waiting.length > 0) {
    const unsent = new Set(waiting.flatMap(({ names }) => names));
    const isReady = ({ data }: FeatureUnit) =>
      !data.dependencies.some(({ dependencies }) => dependencies.some(({ feature }) => unsent.has(feature)));
    const ready = waiting.filter(isReady);
    if (ready.length === 0) {
      return [
        ...ordered,
        { names: waiting.flatMap(({ names }) => names), data: joined(waiting.map(({ data }) => data)) },
      ];
    }
    ordered.push(...ready);
    waiting = waiting.filter((unit) => !isReady(unit));
  }
  return ordered;
}
