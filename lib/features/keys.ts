import * as projectKeys from '../projects/keys.ts';
import type { Key, Partition, Prefixed } from '../store/client/definition.ts';

/* The keys and lists of features. */

/** All items of a feature. */
export const featureItems = (name: string): Partition => ({ pk: `FEATURE#${name}` });
export const feature = (name: string): Key => ({ pk: `FEATURE#${name}`, sk: 'FEATURE' });
export const featureEnvironment = (name: string, environment: string): Key => ({
  pk: `FEATURE#${name}`,
  sk: `ENVIRONMENT#${environment}`,
});
/** A part of a feature that is too large for its own item. */
export const featurePart = (name: string, part: string): Key => ({ pk: `FEATURE#${name}`, sk: `PART#${part}` });
export const featureChild = (parent: string, child: string): Key => ({ pk: `FEATURE#${parent}`, sk: `CHILD#${child}` });
export const featureChildren = (name: string): Prefixed => ({ pk: `FEATURE#${name}`, prefix: 'CHILD#' });

/** A feature in the list of its project. */
export const listedFeature = (project: string, name: string): Key => ({
  pk: projectKeys.shelfPartition(project),
  sk: `FEATURE#${name}`,
});
export const listedFeatures = (project: string): Prefixed => ({
  pk: projectKeys.shelfPartition(project),
  prefix: 'FEATURE#',
});
/** The features that a project lists, and after them the marks that tell whether all of them are of one moment. */
export const listedFeaturesAndMarks = (project: string): Partition => ({
  pk: projectKeys.shelfPartition(project),
  prefix: 'FEATURE#',
  end: 'MARK#~',
});
/** The state of a feature in an environment that SDKs get. */
export const delivery = (project: string, environment: string, name: string): Key => ({
  pk: projectKeys.shelfPartition(project),
  sk: `DELIVERY#${environment}#${name}`,
});
export const deliveries = (project: string, environment: string): Prefixed => ({
  pk: projectKeys.shelfPartition(project),
  prefix: `DELIVERY#${environment}#`,
});

export const archivedFeature = (project: string, archivedAt: string, name: string): Key => ({
  pk: `PROJECT#${project}#ARCHIVE`,
  sk: `${archivedAt}#${name}`,
});
export const archivedFeatures = (project: string): Partition => ({ pk: `PROJECT#${project}#ARCHIVE` });

export const favoriteFeature = (userId: number, name: string): Key => ({
  pk: projectKeys.favoritesPartition(userId),
  sk: `FEATURE#${name}`,
});
export const favoriteFeatures = (userId: number): Prefixed => ({
  pk: projectKeys.favoritesPartition(userId),
  prefix: 'FEATURE#',
});
