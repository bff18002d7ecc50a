import { itemKey, itemsUnder, type Partition } from '../../store/client/definition.ts';

/* The keys and lists of the use of features. */

/** The evaluations of a feature by an application in an hour. The application's name can contain a #, so it comes last. */
export const usage = (feature: string, hour: string, environment: string, application: string) =>
  itemKey(`USAGE#${feature}`, `${hour}#${environment}#${application}`);
export const usageOf = (feature: string): Partition => ({ pk: `USAGE#${feature}` });
export const usageInHour = (feature: string, hour: string) => itemsUnder(`USAGE#${feature}`, `${hour}#`);

/** The times of the last evaluations of a project's features. */
export const seenInProject = (project: string): Partition => ({ pk: `SEEN#${project}` });
/** The time of the last evaluation of a feature in an environment. */
export const featureSeen = (project: string, feature: string, environment: string) =>
  itemKey(`SEEN#${project}`, `${feature}#${environment}`);
export const featureSeenAnywhere = (project: string, feature: string) => itemsUnder(`SEEN#${project}`, `${feature}#`);
/** The time of the last evaluation of any feature of a project. */
export const projectSeen = (project: string) => itemKey('SEEN', project);
export const projectsSeen = (): Partition => ({ pk: 'SEEN' });
