import { itemKey, itemsUnder, type Key, type Partition, shardName } from '../store/client/definition.ts';

/* The keys and lists of projects. */

export const project = (id: string) => itemKey(`PROJECT#${id}`, 'PROJECT');
export const projects = (): Partition => ({ pk: 'PROJECTS' });
/** The entry of a project in the list of all. */
export const projectInList = (id: string) => itemKey('PROJECTS', id);
export const defaultStrategy = (project: string, environment: string) =>
  itemKey(`PROJECT#${project}`, `DEFAULT_STRATEGY#${environment}`);
export const defaultStrategies = (project: string) => itemsUnder(`PROJECT#${project}`, 'DEFAULT_STRATEGY#');
/** A deleted project or environment whose content still exists. */
export const removal = (kind: 'project' | 'environment', id: string) => itemKey(`REMOVAL#${kind}`, id);

/** The shelf of a project: its features for lists, and for SDKs. */
export const shelfPartition = (project: string) => `PROJECT#${project}#FEATURES`;
/** Items of a ledger. As many writers can change features at the same time; all of them are read for one capacity unit. */
const ledgerShardCount = 64;
/** Built once, since each change of a feature needs them. */
const ledgerSortKeys = /* @__PURE__ */ Array.from({ length: ledgerShardCount }, (_, n) => `MARK#${shardName(n)}`);
export function ledgerShards(project: string): Key[] {
  const pk = shelfPartition(project);
  return ledgerSortKeys.map((sk) => ({ pk, sk }));
}
export const ledger = (project: string) => itemsUnder(shelfPartition(project), 'MARK#');

/** The favorite projects and features of a user. */
export const favoritesPartition = (userId: number) => `FAVORITES#${userId}`;
export const favoriteProject = (userId: number, id: string) => itemKey(favoritesPartition(userId), `PROJECT#${id}`);
export const favoriteProjects = (userId: number) => itemsUnder(favoritesPartition(userId), 'PROJECT#');
