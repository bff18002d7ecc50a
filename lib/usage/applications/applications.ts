import { change } from '../../entity/change.ts';
import { codec } from '../../entity/codec.ts';
import { noEffects } from '../../entity/effects.ts';
import { entity } from '../../entity/entity.ts';
import { ApiError, notFound } from '../../errors.ts';
import { type Actor, systemUser } from '../../events/actor.ts';
import { isHidden, isVisibleIn, type Request, seesAllProjects } from '../../request.ts';
import { changeItem } from '../../store/change-item.ts';
import type { Key } from '../../store/client/definition.ts';
import { queryAll, readItem, readItems } from '../../store/read.ts';
import { type Versioned, versionAfter } from '../../store/transactions/versioned.ts';
import type { Work } from '../../store/work.ts';
import { computeExpiry, isUnexpired } from '../../values/time.ts';
import * as usageKeys from '../keys.ts';
import type { Application, ApplicationInput, ApplicationsQuery } from './application-schema.ts';
import { type Instance, listInstances } from './instances.ts';
import { applicationSeconds, usagePrefix } from './note-application.ts';

/** An application apart from the reports of its SDKs: its creation, and its description by people. */
export interface AboutApplication {
  readonly appName: string;
  readonly createdAt: string;
  readonly description: string | null;
  readonly url: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  /** The strategies that it knows, where its SDKs do not say. */
  readonly strategies: readonly string[];
  /** The time at which it is forgotten, unless it reports before; missing if somebody has described it. */
  readonly expiresAtSeconds?: number;
}

export const applicationEntity = entity<AboutApplication, string>({
  kind: 'application',
  idOf: ({ appName }) => appName,
  freeIds: true,
  partition: { pk: 'APPLICATIONS', prefix: 'ABOUT#' },
  codec: codec<AboutApplication>({ strategies: true }),
  events: { created: 'application-created' },
  eventData: ({ expiresAtSeconds: _end, ...application }) => application,
});

/** The reports of an application's SDKs. */
interface SeenItem {
  readonly sk: string;
  readonly seenAt: string;
  readonly sdkVersion?: string;
  /** JSON: string[]. */
  readonly strategies?: string;
  readonly droppedParts?: number;
  readonly expiresAtSeconds?: number;
}

const pageSize = 1_000;

/** The applications of which the name has the text that is asked for, sorted and page by page. */
export async function searchApplications(
  request: Request,
  { query = '', offset = 0, limit = pageSize, sortBy = 'appName', sortOrder = 'asc' }: ApplicationsQuery,
): Promise<{ total: number; applications: Application[] }> {
  const wanted = query.toLowerCase();
  const found = (await listApplications(request)).filter(({ appName }) => appName.toLowerCase().includes(wanted));
  const sorted = found.toSorted((a, b) => a[sortBy].localeCompare(b[sortBy]));
  const ordered = sortOrder === 'asc' ? sorted : sorted.toReversed();
  return { total: found.length, applications: ordered.slice(offset, offset + Math.min(limit, pageSize)) };
}

async function listApplications(request: Request): Promise<Application[]> {
  const { pk, prefix } = usageKeys.applicationsSeen();
  const items = await queryAll<Key & SeenItem>(request, { pk });
  const seen = new Map(
    items.filter(({ sk }) => sk.startsWith(prefix)).map((item) => [item.sk.slice(prefix.length), item]),
  );
  return applicationEntity
    .among(request, items)
    .filter((about) => isUnexpired(about) && isSeen(request, seen.get(about.appName)))
    .map((about) => applicationOf(request, about, seen.get(about.appName)));
}

/** Tells whether the caller may know an application: if it reports from projects, they must see one of them. */
function isSeen(request: Request, seen: SeenItem | undefined): boolean {
  const projects = placesIn(seen).map(([project]) => project);
  return isVisibleIn(request, projects);
}

/** Returns the projects and environments that an application has reported from. */
function placesIn(seen: SeenItem | undefined): [project: string, environment: string][] {
  return Object.keys(seen ?? {})
    .filter((name) => name.startsWith(usagePrefix))
    .toSorted()
    .map((name) => {
      const [project = '', environment = ''] = name.slice(usagePrefix.length).split('#');
      return [project, environment];
    });
}

/** Those of the applications that are for the holder of the table to know, whether or not they are known. */
export async function seenApplications(request: Request, appNames: Iterable<string>): Promise<Set<string>> {
  const names = [...new Set(appNames)];
  if (seesAllProjects(request)) return new Set(names);
  const seen = await readItems<SeenItem>(request, names.map(usageKeys.applicationSeen));
  return new Set(names.filter((_, index) => isSeen(request, seen[index])));
}

/** @throws ApiError 404 for one that is not known. */
export async function loadApplication(request: Request, appName: string): Promise<Versioned<Application>> {
  const [found, seen] = await Promise.all([
    applicationEntity.find(request, appName),
    readItem<SeenItem>(request, usageKeys.applicationSeen(appName)),
  ]);
  if (found === undefined || !isUnexpired(found.value) || !isSeen(request, seen))
    throw notFound('application', appName);
  return { value: applicationOf(request, found.value, seen), version: found.version, shown: true };
}

/** The instances of an application that have reported from an environment within a day; none where it is not known. */
export async function listKnownInstances(request: Request, appName: string, environment: string): Promise<Instance[]> {
  const [{ found, isOfOthers }, instances] = await Promise.all([
    findSeen(request, appName),
    listInstances(request, appName, environment),
  ]);
  return found === undefined || isOfOthers ? [] : instances;
}

function applicationOf(request: Request, about: AboutApplication, seen: SeenItem | undefined): Application {
  const { appName, createdAt, description, url, color, icon } = about;
  const { seenAt = createdAt, sdkVersion, strategies, droppedParts = 0 }: Partial<SeenItem> = seen ?? {};
  const byProject = Map.groupBy(placesIn(seen), ([project]) => project);
  return {
    appName,
    createdAt,
    ...(description !== null && { description }),
    ...(url !== null && { url }),
    ...(color !== null && { color }),
    ...(icon !== null && { icon }),
    lastSeen: seenAt,
    ...(sdkVersion !== undefined && { sdkVersion }),
    droppedParts,
    strategies: strategies === undefined ? about.strategies : JSON.parse(strategies),
    usage: [...byProject]
      .filter(([project]) => !isHidden(request, project))
      .map(([project, of]) => ({ project, environments: of.map(([, environment]) => environment) })),
  };
}

/** Reads an application, and whether the caller must not know it. */
async function findSeen(request: Request, appName: string) {
  const [found, seen] = await Promise.all([
    applicationEntity.find(request, appName),
    seesAllProjects(request) ? undefined : readItem<SeenItem>(request, usageKeys.applicationSeen(appName)),
  ]);
  return { found, isOfOthers: !isSeen(request, seen) };
}

/** An application as it is before anybody has said something of it. */
export const nothingSaid = { description: null, url: null, color: null, icon: null, strategies: [] };

/**
 * Says something of an application, which need not have reported yet; what is left out stays as it is.
 * @throws ApiError 404 for one that only projects use which the caller must not see; 412 by `If-Match`.
 */
export function describeApplication(request: Request, actor: Actor, appName: string, input: ApplicationInput) {
  return change(request, actor, {
    of: [applicationEntity.keyOf(appName)],
    read: () => findSeen(request, appName),
    revisionOf: ({ found }) => found,
    decide: ({ found, isOfOthers }, createdAt) => {
      if (isOfOthers) throw notFound('application', appName);
      const { expiresAtSeconds: _end, ...before }: Partial<AboutApplication> = found?.value ?? {};
      const after = { ...nothingSaid, appName, createdAt, ...before, ...input };
      if (found === undefined) {
        const { version, ...effects } = applicationEntity.created(after, createdAt, 'retry');
        return { ...effects, result: { value: undefined, version } };
      }
      const effects = applicationEntity.updated(found, after);
      return { ...effects, result: versionAfter(found, effects) };
    },
  });
}

/** The seconds by which an end has to be later before it is worth a write. */
const prolongedSeconds = 24 * 60 * 60;

/** Makes applications known that have reported for the first time, and keeps those for longer that are known already. */
export async function announceApplications(request: Request, appNames: readonly string[]): Promise<void> {
  const known = await applicationEntity.some(request, appNames);
  const expiresAtSeconds = computeExpiry(applicationSeconds);
  for (const appName of appNames) {
    const about = known.get(appName);
    if (about !== undefined) {
      const { expiresAtSeconds: end = Number.POSITIVE_INFINITY } = about;
      if (end < expiresAtSeconds - prolongedSeconds)
        await prolong(request, applicationEntity.keyOf(appName), expiresAtSeconds);
      continue;
    }
    try {
      const make = (createdAt: string) => ({ ...nothingSaid, appName, createdAt, expiresAtSeconds });
      await applicationEntity.create(request, systemUser, make);
    } catch (error) {
      // Another process was faster.
      if (!(error instanceof ApiError && error.name === 'NameExistsError')) throw error;
    }
  }
}

/**
 * Forgets an application, until it reports again. What its SDKs have reported of its instances ends by itself within two
 * days, and is shown of no application that is not known.
 * @throws ApiError 412 by `If-Match`.
 */
export function deleteApplication(request: Request, actor: Actor, appName: string): Promise<undefined> {
  return change(request, actor, {
    of: [applicationEntity.keyOf(appName)],
    read: () => findSeen(request, appName),
    revisionOf: ({ found }) => found,
    decide: ({ found, isOfOthers }) => {
      if (found === undefined || isOfOthers) return { ...noEffects, result: undefined };
      const { writes, events } = applicationEntity.removed(found);
      return { writes: [...writes, { remove: usageKeys.applicationSeen(appName) }], events, result: undefined };
    },
  });
}

/** Moves the end of an item, apart from any transaction. One that has no end, or is gone, is left alone. */
async function prolong(work: Work, key: Key, expiresAtSeconds: number): Promise<void> {
  const hasEnd = { ConditionExpression: 'attribute_exists(expiresAtSeconds)' };
  await changeItem(work, key, { set: { expiresAtSeconds } }, hasEnd);
}
