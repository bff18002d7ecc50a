import type { ExportData, ImportedFeature } from './import-data-schema.ts';

/** One feature of a file, with everything that the file says about it. */
export interface FeatureInFile
  extends Pick<ExportData, 'featureStrategies' | 'featureEnvironments' | 'featureTags' | 'dependencies' | 'links'> {
  readonly fields: ImportedFeature;
}

/** Groups the content of a file by feature, in the order of the file. */
export function groupByFeature(data: ExportData): FeatureInFile[] {
  const strategies = Map.groupBy(data.featureStrategies, ({ featureName }) => featureName);
  const states = Map.groupBy(data.featureEnvironments, featureOfState);
  const tags = data.featureTags && Map.groupBy(data.featureTags, ({ featureName }) => featureName);
  const dependencies = Map.groupBy(data.dependencies, ({ feature }) => feature);
  const links = data.links && Map.groupBy(data.links, ({ feature }) => feature);
  return data.features.map((fields) => ({
    fields,
    featureStrategies: strategies.get(fields.name) ?? [],
    featureEnvironments: states.get(fields.name) ?? [],
    ...(tags && { featureTags: tags.get(fields.name) ?? [] }),
    dependencies: dependencies.get(fields.name) ?? [],
    ...(links && { links: links.get(fields.name) ?? [] }),
  }));
}

/** A file without some of its features. */
export interface Remainder {
  readonly data: ExportData;
  /** Turns a path in the remainder into the path in the whole file. */
  readonly pathInFile: (path: string) => string;
}

/** Returns a file without some features and everything that it says about them. */
export function withoutFeatures(data: ExportData, names: ReadonlySet<string>): Remainder {
  const keptIndexes = new Map(
    Object.entries(featureNamesIn(data)).map(([list, featureNames = []]) => [
      list,
      featureNames.flatMap((name, index) => (names.has(name) ? [] : [index])),
    ]),
  );
  const kept = [...keptIndexes].map(([list, indexes]) => {
    const things = data[list as keyof ExportData];
    return [list, things && indexes.map((index) => things[index])];
  });
  return {
    data: { ...data, ...Object.fromEntries(kept) },
    pathInFile: (path) =>
      path.replace(/^data\.(\w+)\.(\d+)/, (path, list, index) => {
        const indexInFile = keptIndexes.get(list)?.[Number(index)];
        return indexInFile === undefined ? path : `data.${list}.${indexInFile}`;
      }),
  };
}

/** Returns the name of the feature of each thing in a file, by list. Lists of shared things are missing. */
function featureNamesIn(data: ExportData): Partial<Record<keyof ExportData, readonly string[] | undefined>> {
  return {
    features: data.features.map(({ name }) => name),
    featureStrategies: data.featureStrategies.map(({ featureName }) => featureName),
    featureEnvironments: data.featureEnvironments.map(featureOfState),
    ...(data.featureTags && { featureTags: data.featureTags.map(({ featureName }) => featureName) }),
    dependencies: data.dependencies.map(({ feature }) => feature),
    ...(data.links && { links: data.links.map(({ feature }) => feature) }),
  };
}

/** Returns the feature of a state, which older exports call `name`. */
export function featureOfState({ featureName, name }: ExportData['featureEnvironments'][number]): string {
  return featureName ?? name;
}

/** Returns the names of the features on which others of the file depend. A parent has no parent itself. */
export function parentsIn({ dependencies }: ExportData): Set<string> {
  return new Set(dependencies.flatMap((item) => item.dependencies.map(({ feature }) => feature)));
}
