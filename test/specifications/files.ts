import type { World } from '../harness/world.ts';

/** Files to import, made of parts. */

export const importPath = '/api/admin/features-batch/import';

interface FileData {
  readonly features: readonly object[];
  readonly featureStrategies: readonly object[];
  readonly featureEnvironments: readonly object[];
  readonly featureTags: readonly object[];
  readonly tagTypes: readonly object[];
  readonly dependencies: readonly object[];
}

interface FeatureParts {
  readonly tags?: readonly string[];
  readonly parents?: readonly string[];
  readonly strategy?: string;
  readonly variants?: readonly object[];
  readonly fields?: object;
}

const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];

/** A feature that is on, with variants and tags of a type that the file brings along, and with parents. */
export function featureFile(name: string, parts: FeatureParts = {}): FileData {
  const { tags = [], parents = [], strategy = 'flexibleRollout', fields } = parts;
  return {
    features: [{ name, ...fields }],
    featureStrategies: [{ name: strategy, featureName: name }],
    featureEnvironments: [
      { name: 'development', featureName: name, enabled: true, variants: parts.variants ?? variants },
    ],
    featureTags: tags.map((tagValue) => ({ featureName: name, tagType: 'origin', tagValue })),
    tagTypes: [{ name: 'origin', description: 'Where it comes from' }],
    dependencies: parents.map((parent) => ({ feature: name, dependencies: [{ feature: parent }] })),
  };
}

/**
 * Features that are on, under names that a world gives to nothing else. Every tenth has a tag and a parent, which must be
 * there before it.
 */
export function manyFeatures(count: number): FileData {
  const all = Array.from({ length: count }, (_, index) => {
    const name = `imported-${index + 1}`;
    if (index % 10 === 9) return featureFile(name, { tags: [`tag-${index}`], parents: [`imported-${index}`] });
    return featureFile(name, { variants: [] });
  });
  return together(all);
}

/** The body of an import of all of these, into the home of a world. */
export function importFile({ home }: World, ...parts: readonly FileData[]): object {
  return { project: home.projectId, environment: home.environment, data: together(parts) };
}

function together(parts: readonly FileData[]): FileData {
  return {
    features: parts.flatMap(({ features }) => features),
    featureStrategies: parts.flatMap(({ featureStrategies }) => featureStrategies),
    featureEnvironments: parts.flatMap(({ featureEnvironments }) => featureEnvironments),
    featureTags: parts.flatMap(({ featureTags }) => featureTags),
    tagTypes: [{ name: 'origin', description: 'Where it comes from' }],
    dependencies: parts.flatMap(({ dependencies }) => dependencies),
  };
}
