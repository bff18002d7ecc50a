import * as projectKeys from '../projects/keys.ts';
import { itemKey, itemsUnder, type Key, keysIn, type Partition } from '../store/client/definition.ts';

/* The keys and lists of features. */

/** All items of a feature. */
export const featureItems = (name: string): Partition => ({ pk: `FEATURE#${name}` });
export const feature = (name: string) => itemKey(`FEATURE#${name}`, 'FEATURE');
/** Returns the name of the feature whose own item has a key; undefined for another item. */
export const nameOfFeature = ({ pk, sk }: Key): string | undefined =>
  sk === 'FEATURE' ? /^FEATURE#([^#]+)$/.exec(pk)?.[1] : undefined;
export const featureEnvironment = (name: string, environment: string) =>
  itemKey(`FEATURE#${name}`, `ENVIRONMENT#${environment}`);
/** A part of a feature that is too large for its own item. */
export const featurePart = (name: string, part: string) => itemKey(`FEATURE#${name}`, `PART#${part}`);
export const featureChild = (parent: string, child: string) => itemKey(`FEATURE#${parent}`, `CHILD#${child}`);
export const featureChildren = (name: string) => itemsUnder(`FEATURE#${name}`, 'CHILD#');

/** A feature in the list of its project. */
export const listedFeature = (project: string, name: string) =>
  itemKey(projectKeys.readModelPartitionKey(project), `FEATURE#${name}`);
export const listedFeatures = (project: string) => itemsUnder(projectKeys.readModelPartitionKey(project), 'FEATURE#');
/** The features of a project, and after them the checksums that show whether a reader saw whole transactions. */
export const listedFeaturesAndChecksums = (project: string): Partition => ({
  pk: projectKeys.readModelPartitionKey(project),
  prefix: 'FEATURE#',
  end: 'MARK#~',
});
/** The state of a feature in an environment, as SDKs get it. */
export const delivery = (project: string, environment: string, name: string) =>
  itemKey(projectKeys.readModelPartitionKey(project), `DELIVERY#${environment}#${name}`);
export const deliveries = (project: string, environment: string) =>
  itemsUnder(projectKeys.readModelPartitionKey(project), `DELIVERY#${environment}#`);

/** The templates of release plans, which plans refer to. */
export const releaseTemplates = { pk: 'RELEASE_TEMPLATES', prefix: 'ID#' } as const;
export const releaseTemplate = keysIn(releaseTemplates);

/** A release plan whose next milestone starts by itself at a time. */
export const planStep = (at: string, environment: string, feature: string) =>
  itemKey('PLAN_STEPS', `${at}#${environment}#${feature}`);
export const planSteps = (): Partition => ({ pk: 'PLAN_STEPS' });
/** A feature in an environment with a safeguard that the clock watches. */
export const guarded = (environment: string, feature: string) => itemKey('GUARDED', `${environment}#${feature}`);
export const allGuarded = (): Partition => ({ pk: 'GUARDED' });
/** The token for signals to a safeguard, and the last signal. It is removed with the safeguard, and with the feature. */
export const signal = (name: string, environment: string, safeguard: string) =>
  itemKey(`FEATURE#${name}`, `SIGNAL#${environment}#${safeguard}`);
export const signals = (name: string) => itemsUnder(`FEATURE#${name}`, 'SIGNAL#');

export const archivedFeature = (project: string, archivedAt: string, name: string) =>
  itemKey(`PROJECT#${project}#ARCHIVE`, `${archivedAt}#${name}`);
export const archivedFeatures = (project: string): Partition => ({ pk: `PROJECT#${project}#ARCHIVE` });

export const favoriteFeature = (userId: number, name: string) =>
  itemKey(projectKeys.favoritesPartitionKey(userId), `FEATURE#${name}`);
export const favoriteFeatures = (userId: number) => itemsUnder(projectKeys.favoritesPartitionKey(userId), 'FEATURE#');
