import { itemKey, itemsUnder, type Key, type Partition, shardName } from '../store/client/definition.ts';

/* The keys and lists of projects. */

export const project = (id: string) => itemKey(`PROJECT#${id}`, 'PROJECT');
export const projects = (): Partition => ({ pk: 'PROJECTS' });
/** A project in the list of all. */
export const listedProject = (id: string) => itemKey('PROJECTS', id);
export const defaultStrategy = (project: string, environment: string) =>
  itemKey(`PROJECT#${project}`, `DEFAULT_STRATEGY#${environment}`);
export const defaultStrategies = (project: string) => itemsUnder(`PROJECT#${project}`, 'DEFAULT_STRATEGY#');
/** A project or an environment that was deleted, while things that belonged to it still exist. */
export const removal = (kind: 'project' | 'environment', id: string) => itemKey(`REMOVAL#${kind}`, id);

/** The shelf of a project: its features for lists, and for SDKs. */
export const shelfPartition = (project: string) => `PROJECT#${project}#FEATURES`;
/**
 * The number of items that share the marks of the features of a project. A project's writers are at most all writers,
 * so they are as many as those of the counts of environments; a reader gets all of them for one unit.
 */
const markShards = 64;
/** Made once: each change of a feature asks for them. */
const markNames = /* @__PURE__ */ Array.from({ length: markShards }, (_, shard) => `MARK#${shardName(shard)}`);
/** Each holds a part of the sum of the marks of all that the project lists. */
export function marks(project: string): Key[] {
  const pk = shelfPartition(project);
  return markNames.map((sk) => ({ pk, sk }));
}
export const allMarks = (project: string) => itemsUnder(shelfPartition(project), 'MARK#');

/** The favorites of a user: projects, and features beside them. */
export const favoritesPartition = (userId: number) => `FAVORITES#${userId}`;
export const favoriteProject = (userId: number, id: string) => itemKey(favoritesPartition(userId), `PROJECT#${id}`);
export const favoriteProjects = (userId: number) => itemsUnder(favoritesPartition(userId), 'PROJECT#');
