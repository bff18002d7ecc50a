import type { ExportData, ImportedFeature } from './import-data-schema.ts';

/** One feature of a file, with everything in the file about it. */
export interface FeatureInFile
  extends Pick<ExportData, 'featureStrategies' | 'featureEnvironments' | 'featureTags' | 'dependencies' | 'links'> {
  readonly fields: ImportedFeature;
}

/** Groups the content of a file by feature, in the order of the file. */
export function byFeature(data: ExportData): FeatureInFile[] {
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
  /** Returns the path in the whole file of what has a path in the remainder. */
  readonly pathInFile: (path: string) => string;
}

/** Returns a file without some features, and without everything in it about them. */
export function withoutFeatures(data: ExportData, names: ReadonlySet<string>): Remainder {
  const places = new Map(
    Object.entries(ownersIn(data)).map(([list, owners = []]) => [
      list,
      owners.flatMap((owner, index) => (names.has(owner) ? [] : [index])),
    ]),
  );
  const kept = [...places].map(([list, indexes]) => {
    const things = data[list as keyof ExportData];
    return [list, things && indexes.map((index) => things[index])];
  });
  return {
    data: { ...data, ...Object.fromEntries(kept) },
    pathInFile: (path) =>
      path.replace(/^data\.(\w+)\.(\d+)/, (same, list, index) => {
        const place = places.get(list)?.[Number(index)];
        return place === undefined ? same : `data.${list}.${place}`;
      }),
  };
}

/** Returns the features that the things in a file belong to, by list; what features share is left out. */
function ownersIn(data: ExportData): Partial<Record<keyof ExportData, readonly string[] | undefined>> {
  return {
    features: data.features.map(({ name }) => name),
    featureStrategies: data.featureStrategies.map(({ featureName }) => featureName),
    featureEnvironments: data.featureEnvironments.map(featureOfState),
    ...(data.featureTags && { featureTags: data.featureTags.map(({ featureName }) => featureName) }),
    dependencies: data.dependencies.map(({ feature }) => feature),
    ...(data.links && { links: data.links.map(({ feature }) => feature) }),
  };
}

/** Returns the feature that a state is of: older exports name it by `name`. */
export function featureOfState({ featureName, name }: ExportData['featureEnvironments'][number]): string {
  return featureName ?? name;
}

/** Returns the names of the features on which others of the file depend. They depend on none themselves. */
export function parentsIn({ dependencies }: ExportData): Set<string> {
  return new Set(dependencies.flatMap((each) => each.dependencies.map(({ feature }) => feature)));
}
