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

/** Returns the feature that a state is of: older exports name it by `name`. */
export function featureOfState({ featureName, name }: ExportData['featureEnvironments'][number]): string {
  return featureName ?? name;
}

/** Returns the names of the features on which others of the file depend. They depend on none themselves. */
export function parentsIn({ dependencies }: ExportData): Set<string> {
  return new Set(dependencies.flatMap((each) => each.dependencies.map(({ feature }) => feature)));
}
