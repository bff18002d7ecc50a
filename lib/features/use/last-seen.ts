import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItem, readItems } from '../../store/read.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { chunksOf } from '../../values/lists.ts';
import * as useKeys from './keys.ts';

/** The time of the last use of a feature by environment; missing for environments without any use. */
export type LastSeen = ReadonlyMap<string, string>;

/** The attributes that identify a feature, also among deleted features of the same name. */
interface FeatureIdentity {
  readonly project: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Returns the last use of a feature. */
export type LastSeenOf = (feature: FeatureIdentity) => LastSeen;

interface SeenItem extends Key {
  readonly lastSeenAt: string;
}

export const neverSeen: LastSeen = new Map();

/** Returns the time of the last use in any environment; null if there was none. */
export function latestOf(lastSeen: LastSeen): string | null {
  return [...lastSeen.values()].reduce<string | null>(
    (latest, at) => (latest === null || at > latest ? at : latest),
    null,
  );
}

/** Reads the last use of all features of some projects. */
export async function loadLastSeenOfProjects(request: Request, projects: readonly string[]): Promise<LastSeenOf> {
  const ids = [...new Set(projects)];
  return groupByFeature(
    (await Promise.all(ids.map((id) => queryAll<SeenItem>(request, useKeys.seenInProject(id))))).flat(),
  );
}

/** Reads the last use of one feature of a project. */
export async function loadLastSeen(request: Request, project: string, name: string): Promise<LastSeenOf> {
  return groupByFeature(await queryAll<SeenItem>(request, useKeys.featureSeenAnywhere(project, name)));
}

/** Reads the last use of a few features with one read per environment. */
export async function loadLastSeenOfFeatures(
  request: Request,
  features: readonly { readonly feature: FeatureIdentity; readonly environments: readonly string[] }[],
): Promise<LastSeenOf> {
  const keys = features.flatMap(({ feature: { project, name }, environments }) =>
    environments.map((environment) => useKeys.featureSeen(project, name, environment)),
  );
  return groupByFeature((await readItems<SeenItem>(request, keys)).filter((item) => item !== undefined));
}

/** Reads the time of the last use of any feature of a project; undefined if there was none. */
export async function loadLastUse(request: Request, project: string): Promise<string | undefined> {
  return (await readItem<SeenItem>(request, useKeys.projectSeen(project)))?.lastSeenAt;
}

/** Reads the time of the last use of any feature by project; projects without use are missing. */
export async function loadLastUses(request: Request): Promise<ReadonlyMap<string, string>> {
  const items = await queryAll<SeenItem>(request, useKeys.projectsSeen());
  return new Map(items.map(({ sk, lastSeenAt }) => [sk, lastSeenAt]));
}

/** Removes the times of last use in a project, or in one of its environments: lists of features read all of them. */
export async function removeLastSeen(request: Request, project: string, environment?: string): Promise<void> {
  const items = await queryAll<Key>(request, useKeys.seenInProject(project));
  const removed = environment === undefined ? items : items.filter(({ sk }) => sk.endsWith(`#${environment}`));
  for (const chunk of chunksOf(removed, removalsPerTransaction)) {
    const writes = chunk.map(({ pk, sk }) => ({ remove: { pk, sk } }));
    await transact(request, writes, undefined);
  }
}

/** The most removals in a transaction. They leave room for the condition of the request. */
const removalsPerTransaction = 90;

/**
 * Builds the writes that move a feature's last use to another project.
 * @param max the most environments, of which the latest uses are moved.
 */
export function buildLastSeenMove(
  { project, name }: FeatureIdentity,
  newProject: string,
  lastSeen: LastSeen,
  max: number,
): Write[] {
  const latest = [...lastSeen].toSorted(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, Math.max(0, max));
  return latest.flatMap(([environment, lastSeenAt]) => [
    { remove: useKeys.featureSeen(project, name, environment) },
    { put: useKeys.featureSeen(newProject, name, environment), item: { lastSeenAt } },
  ]);
}

function groupByFeature(items: readonly SeenItem[]): LastSeenOf {
  const times = new Map<string, Map<string, string>>();
  for (const { pk, sk, lastSeenAt } of items) {
    const [name = '', environment = ''] = sk.split('#');
    const id = `${pk} ${name}`;
    times.set(id, (times.get(id) ?? new Map()).set(environment, lastSeenAt));
  }
  return ({ project, name, createdAt }) => {
    const lastSeen = times.get(`${useKeys.seenInProject(project).pk} ${name}`);
    // A use before the creation was that of a deleted feature with the same name.
    return lastSeen === undefined ? neverSeen : new Map([...lastSeen].filter(([, at]) => at >= createdAt));
  };
}
