import { isDeepStrictEqual } from 'node:util';
import type { ErrorDetail } from '../errors.ts';
import type { FeatureHead } from '../features/feature-items.ts';
import type { Dependency } from '../schemas/feature.ts';
import type { ExportData } from '../schemas/import-data.ts';
import { featureOfState } from './by-feature.ts';

/** How many features may depend on one: all of them are told with it. */
export const childrenMax = 500;

/** What is known of a feature that others may depend on. */
type KnownParent = Pick<FeatureHead, 'project' | 'archivedAt'> & {
  readonly own: Pick<FeatureHead['own'], 'dependencies'>;
  readonly revision: Pick<FeatureHead['revision'], 'childCount'>;
};

/** What is known of the features that dependencies are about. */
export interface KnownFeatures {
  readonly project: { readonly id: string };
  /** Those of the file that exist. */
  readonly features: ReadonlyMap<string, FeatureHead>;
  /** The parents that exist. */
  readonly parents: ReadonlyMap<string, KnownParent>;
  /** The variants that stored parents have and keep. */
  readonly parentVariants: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * What is wrong with the dependencies of a file. A parent is live, in the same project, and has no parent itself: that is
 * Unleash's own rule, and it leaves no room for circles. What the store holds already is not held to it again.
 */
export function dependencyProblems(data: ExportData, known: KnownFeatures): ErrorDetail[] {
  const inFile = new Map(data.features.map((feature) => [feature.name, feature]));
  const variants = variantsInFile(data);
  const dependent = new Set(
    data.dependencies.flatMap(({ feature, dependencies }) => (dependencies.length > 0 ? [feature] : [])),
  );

  function problemsOf(child: string, dependency: Dependency): string[] {
    const { feature: parent } = dependency;
    const [head, ofFile] = [known.parents.get(parent), inFile.get(parent)];
    const stored = known.features.get(child);
    if (parent === child) return [`The feature "${shown(child)}" cannot depend on itself.`];
    if (ofFile === undefined && head === undefined) return [`There is no feature "${shown(parent)}" to depend on.`];
    if (stored !== undefined && dependenciesOf(stored).some((each) => isDeepStrictEqual(each, dependency))) return [];
    const isArchived = ofFile?.archived ?? (head !== undefined && head.archivedAt !== null);
    const hasParent = dependent.has(parent) || (head !== undefined && head.own.dependencies !== '[]');
    return [
      ...(head !== undefined && head.project !== known.project.id
        ? [`The parent "${shown(parent)}" is in another project; a feature depends on features of its own project.`]
        : []),
      ...(isArchived ? [`The parent "${shown(parent)}" is archived.`] : []),
      ...(hasParent ? [`The parent "${shown(parent)}" depends on a feature itself, which a parent may not.`] : []),
      ...dependency.variants
        .filter((name) => !variants.get(parent)?.has(name) && !known.parentVariants.get(parent)?.has(name))
        .map((name) => `The parent "${shown(parent)}" has no variant "${shown(name)}".`),
    ];
  }

  return [
    ...data.dependencies.flatMap(({ feature: child, dependencies }, index) => {
      const path = `data.dependencies.${index}`;
      const stored = known.features.get(child);
      const hasChildren = dependencies.length > 0 && stored !== undefined && stored.revision.childCount > 0;
      const isNew = stored === undefined || dependenciesOf(stored).length === 0;
      return [
        ...(inFile.has(child)
          ? []
          : [
              {
                message: `The dependency is of the feature "${shown(child)}", which is not in the file.`,
                path: `${path}.feature`,
              },
            ]),
        ...(hasChildren && isNew
          ? [{ message: `The feature "${shown(child)}" has children, so it may not depend on another one.`, path }]
          : []),
        ...dependencies.flatMap((dependency, place) =>
          problemsOf(child, dependency).map((message) => ({ message, path: `${path}.dependencies.${place}` })),
        ),
      ];
    }),
    ...overfullParents(data, known),
  ];
}

function overfullParents(data: ExportData, { features, parents }: KnownFeatures): ErrorDetail[] {
  const children = new Map<string, Set<string>>();
  for (const { feature: child, dependencies } of data.dependencies) {
    const stored = features.get(child);
    const known = new Set(stored === undefined ? [] : dependenciesOf(stored).map(({ feature }) => feature));
    for (const { feature: parent } of dependencies) {
      if (known.has(parent)) continue;
      children.set(parent, (children.get(parent) ?? new Set()).add(child));
    }
  }
  return [...children].flatMap(([parent, { size }]) => {
    const total = size + (parents.get(parent)?.revision.childCount ?? 0);
    if (total <= childrenMax) return [];
    const message = `The feature "${shown(parent)}" would have ${total} children, more than ${childrenMax}.`;
    return [{ message, path: 'data.dependencies' }];
  });
}

function variantsInFile({ featureStrategies, featureEnvironments }: ExportData): Map<string, Set<string>> {
  const variants = new Map<string, Set<string>>();
  const add = (feature: string, list: readonly { readonly name: string }[]) => {
    const names = variants.get(feature) ?? new Set();
    for (const { name } of list) names.add(name);
    variants.set(feature, names);
  };
  for (const { featureName, variants: list = [] } of featureStrategies) add(featureName, list);
  for (const state of featureEnvironments) add(featureOfState(state), state.variants ?? []);
  return variants;
}

/** What a feature depends on already, as far as its own item says. */
function dependenciesOf({ own }: FeatureHead): Dependency[] {
  return JSON.parse(own.dependencies ?? '[]');
}

/** As much of a text as an error quotes. */
export function shown(text: string): string {
  return text.slice(0, 100);
}
