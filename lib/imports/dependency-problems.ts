import { isDeepStrictEqual } from 'node:util';
import { type ErrorDetail, truncate } from '../errors.ts';
import {
  childrenMax,
  hasChildrenMessage,
  listParentProblems,
  selfDependencyMessage,
  tooManyChildrenMessage,
} from '../features/dependencies/parent-rules.ts';
import type { Dependency } from '../features/feature-schema.ts';
import type { FeatureHead } from '../features/items/feature-items.ts';
import type { Project } from '../projects/projects.ts';
import { findDuplicates } from '../values/lists.ts';
import type { ExportData } from './import-data-schema.ts';

/** The facts about a possible parent. */
type KnownParent = Pick<FeatureHead, 'project' | 'archivedAt'> & {
  readonly own: Pick<FeatureHead['own'], 'dependencies'>;
  readonly revision: Pick<FeatureHead['revision'], 'childCount'>;
};

/** The facts about the features that dependencies name. */
export interface DependencyFacts {
  readonly project: Pick<Project, 'id' | 'featureNaming' | 'featureLimit'>;
  /** The features of the file that exist. */
  readonly features: ReadonlyMap<string, FeatureHead>;
  /** The dependencies that do not fit into the item of their feature. */
  readonly dependenciesApart?: ReadonlyMap<string, readonly Dependency[]>;
  /** The parents that exist. */
  readonly parents: ReadonlyMap<string, KnownParent>;
}

/**
 * Lists the problems of the dependencies of a file. Stored dependencies are not checked again.
 */
export function listDependencyProblems(data: ExportData, facts: DependencyFacts): ErrorDetail[] {
  const inFile = new Map(data.features.map((feature) => [feature.name, feature]));
  const dependent = new Set(
    data.dependencies.filter(({ dependencies }) => dependencies.length > 0).map(({ feature }) => feature),
  );

  function problemsOf(child: string, dependency: Dependency): string[] {
    const { feature: parent } = dependency;
    const [head, parentInFile] = [facts.parents.get(parent), inFile.get(parent)];
    if (parent === child) return [selfDependencyMessage(child)];
    if (parentInFile === undefined && head === undefined)
      return [`There is no feature "${truncate(parent)}" to depend on.`];
    if (dependenciesOf(child, facts).some((other) => isDeepStrictEqual(other, dependency))) return [];
    return listParentProblems(dependency, {
      isElsewhere: head !== undefined && head.project !== facts.project.id,
      isArchived: parentInFile?.archived === true || (head !== undefined && head.archivedAt !== null),
      hasParent: dependent.has(parent) || (head !== undefined && head.own.dependencies !== '[]'),
    });
  }

  return [
    ...data.dependencies.flatMap(({ feature: child, dependencies }, index) => {
      const path = `data.dependencies.${index}`;
      const stored = facts.features.get(child);
      const isParent = dependencies.length > 0 && stored !== undefined && stored.revision.childCount > 0;
      const isNew = dependenciesOf(child, facts).length === 0;
      return [
        ...(inFile.has(child)
          ? []
          : [
              {
                message: `The dependency belongs to the feature "${truncate(child)}", which is not in the file.`,
                path: `${path}.feature`,
              },
            ]),
        ...(isParent && isNew ? [{ message: hasChildrenMessage(child), path }] : []),
        ...dependencies.flatMap((dependency, parentIndex) =>
          problemsOf(child, dependency).map((message) => ({ message, path: `${path}.dependencies.${parentIndex}` })),
        ),
      ];
    }),
    ...listContradictions(data),
    ...listOverfullParents(data, facts),
  ];
}

/** Lists parents that a feature names more than once with different settings, so that it is unclear which apply. */
function listContradictions({ dependencies }: ExportData): ErrorDetail[] {
  const named = dependencies.flatMap(({ feature: child, dependencies: parents }) =>
    parents.map((parent) => [JSON.stringify([child, parent]), [child, parent.feature]] as const),
  );
  const distinct = [...new Map(named).values()].map(([child, parent]) => JSON.stringify([child, parent]));
  return findDuplicates(distinct).map((pair) => {
    const [child, parent] = JSON.parse(pair) as [string, string];
    const message = `The feature "${truncate(child)}" names its parent "${truncate(parent)}" more than once, with different settings.`;
    return { message, path: 'data.dependencies' };
  });
}

function listOverfullParents(data: ExportData, facts: DependencyFacts): ErrorDetail[] {
  const children = new Map<string, Set<string>>();
  for (const { feature: child, dependencies } of data.dependencies) {
    const stored = new Set(dependenciesOf(child, facts).map(({ feature }) => feature));
    for (const { feature: parent } of dependencies) {
      if (stored.has(parent)) continue;
      children.set(parent, (children.get(parent) ?? new Set()).add(child));
    }
  }
  return [...children].flatMap(([parent, { size }]) => {
    const total = size + (facts.parents.get(parent)?.revision.childCount ?? 0);
    if (total <= childrenMax) return [];
    return [{ message: tooManyChildrenMessage(parent, total), path: 'data.dependencies' }];
  });
}

/** Returns the stored dependencies of a feature. */
function dependenciesOf(child: string, { features, dependenciesApart }: DependencyFacts): readonly Dependency[] {
  return dependenciesApart?.get(child) ?? JSON.parse(features.get(child)?.own.dependencies ?? '[]');
}
