import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItem, readItems } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { chunksOf } from '../../values/lists.ts';
import * as useKeys from './keys.ts';

/** The last use of a feature, by environment; environments in which it was never used are missing. */
export type LastSeen = ReadonlyMap<string, string>;

/** The attributes that distinguish a feature from others, those that had its name earlier included. */
interface Known {
  readonly project: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Returns the last use of a feature. */
export type LastSeenOf = (feature: Known) => LastSeen;

interface SeenItem extends Key {
  readonly lastSeenAt: string;
}

export const neverSeen: LastSeen = new Map();

/** The time at which a feature was last used in any environment; null where it never was. */
export function latestOf(seen: LastSeen): string | null {
  return [...seen.values()].reduce<string | null>((latest, at) => (latest === null || at > latest ? at : latest), null);
}

/** Reads the last use of all features of some projects. */
export async function loadLastSeenOfProjects(request: Request, projects: readonly string[]): Promise<LastSeenOf> {
  const ids = [...new Set(projects)];
  return byFeature((await Promise.all(ids.map((id) => queryAll<SeenItem>(request, useKeys.seenInProject(id))))).flat());
}

/** Reads the last use of one feature of a project. */
export async function loadLastSeen(request: Request, project: string, name: string): Promise<LastSeenOf> {
  return byFeature(await queryAll<SeenItem>(request, useKeys.featureSeenAnywhere(project, name)));
}

/** Reads the last use of features in the environments of their projects, one by one: for a few among many. */
export async function loadLastSeenOfFeatures(
  request: Request,
  features: readonly { readonly feature: Known; readonly environments: readonly string[] }[],
): Promise<LastSeenOf> {
  const wanted = features.flatMap(({ feature: { project, name }, environments }) =>
    environments.map((environment) => useKeys.featureSeen(project, name, environment)),
  );
  return byFeature((await readItems<SeenItem>(request, wanted)).filter((item) => item !== undefined));
}

/** Reads the last use of any feature of a project; undefined if none was ever used. */
export async function lastUseOf(request: Request, project: string): Promise<string | undefined> {
  return (await readItem<SeenItem>(request, useKeys.projectSeen(project)))?.lastSeenAt;
}

/** Reads the last use of any feature, by project; projects without use are missing. */
export async function listLastUses(request: Request): Promise<ReadonlyMap<string, string>> {
  const items = await queryAll<SeenItem>(request, useKeys.projectsSeen());
  return new Map(items.map(({ sk, lastSeenAt }) => [sk, lastSeenAt]));
}

/** Removes the last uses of the features of a project, or those in an environment: lists read all that there are. */
export async function forgetSeen(request: Request, project: string, environment?: string): Promise<void> {
  const items = await queryAll<Key>(request, useKeys.seenInProject(project));
  const gone = environment === undefined ? items : items.filter(({ sk }) => sk.endsWith(`#${environment}`));
  for (const some of chunksOf(gone, removedTogether)) {
    const writes = some.map(({ pk, sk }) => ({ remove: { pk, sk } }));
    await transact(request, writes, undefined);
  }
}

/** Room is left for what else a transaction of a request holds. */
const removedTogether = 90;

/**
 * The writes by which what is known of a feature goes to another project with it.
 * @param most of how many environments there is room for: the last uses.
 */
export function buildLastSeenMove({ project, name }: Known, newProject: string, seen: LastSeen, most: number): Write[] {
  const latest = [...seen].toSorted(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, Math.max(0, most));
  return latest.flatMap(([environment, lastSeenAt]) => [
    { remove: useKeys.featureSeen(project, name, environment) },
    { put: useKeys.featureSeen(newProject, name, environment), item: { lastSeenAt } },
  ]);
}

function byFeature(items: readonly SeenItem[]): LastSeenOf {
  const times = new Map<string, Map<string, string>>();
  for (const { pk, sk, lastSeenAt } of items) {
    const [name = '', environment = ''] = sk.split('#');
    const id = `${pk} ${name}`;
    times.set(id, (times.get(id) ?? new Map()).set(environment, lastSeenAt));
  }
  return ({ project, name, createdAt }) => {
    const found = times.get(`${useKeys.seenInProject(project).pk} ${name}`);
    // What was seen before it was created is an earlier feature of its name.
    return found === undefined ? neverSeen : new Map([...found].filter(([, at]) => at >= createdAt));
  };
}
