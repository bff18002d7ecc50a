import { itemKey, itemsUnder, type Key, type Partition, shardName } from '../store/client/definition.ts';

/* The keys and lists of projects. */

export const project = (id: string) => itemKey(`PROJECT#${id}`, 'PROJECT');
export const projects = (): Partition => ({ pk: 'PROJECTS' });
/** The entry of a project in the list of all projects. */
export const projectInList = (id: string) => itemKey('PROJECTS', id);
export const defaultStrategy = (project: string, environment: string) =>
  itemKey(`PROJECT#${project}`, `DEFAULT_STRATEGY#${environment}`);
export const defaultStrategies = (project: string) => itemsUnder(`PROJECT#${project}`, 'DEFAULT_STRATEGY#');
/** A deleted project or environment whose content still exists. */
export const removal = (kind: 'project' | 'environment', id: string) => itemKey(`REMOVAL#${kind}`, id);

/** The partition of a project's read model: copies of its features, from which lists, searches and SDKs are served. */
export const readModelPartitionKey = (project: string) => `PROJECT#${project}#FEATURES`;
/** Number of items of a ledger. This many requests can change features at the same time. Reading all of them costs one capacity unit. */
const ledgerShardCount = 64;
/** Built once, since each change of a feature needs them. */
const ledgerSortKeys = /* @__PURE__ */ Array.from({ length: ledgerShardCount }, (_, n) => `MARK#${shardName(n)}`);
export function ledgerShards(project: string): Key[] {
  const pk = readModelPartitionKey(project);
  return ledgerSortKeys.map((sk) => ({ pk, sk }));
}
export const ledger = (project: string) => itemsUnder(readModelPartitionKey(project), 'MARK#');

/** The favorite projects and features of a user. */
export const favoritesPartitionKey = (userId: number) => `FAVORITES#${userId}`;
export const favoriteProject = (userId: number, id: string) => itemKey(favoritesPartitionKey(userId), `PROJECT#${id}`);
export const favoriteProjects = (userId: number) => itemsUnder(favoritesPartitionKey(userId), 'PROJECT#');
