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
import { applicationSeconds, usagePrefix } from './record-application.ts';

/** The stored part of an application that does not come from reports: its creation and its description by people. */
export interface AboutApplication {
  readonly appName: string;
  readonly createdAt: string;
  readonly description: string | null;
  readonly url: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  /** The names of its strategies, used if its SDKs report none. */
  readonly strategies: readonly string[];
  /** The time when the application is removed, unless it reports before; missing if somebody has described it. */
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

/** The last report of an application's SDKs. */
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

/** Searches applications by a part of the name, ignoring case, and returns a sorted page. */
export async function searchApplications(
  request: Request,
  { query = '', offset = 0, limit = pageSize, sortBy = 'appName', sortOrder = 'asc' }: ApplicationsQuery,
): Promise<{ total: number; applications: Application[] }> {
  const text = query.toLowerCase();
  const matches = (await listApplications(request)).filter(({ appName }) => appName.toLowerCase().includes(text));
  const sorted = matches.toSorted((a, b) => a[sortBy].localeCompare(b[sortBy]));
  const ordered = sortOrder === 'asc' ? sorted : sorted.toReversed();
  return { total: matches.length, applications: ordered.slice(offset, offset + Math.min(limit, pageSize)) };
}

async function listApplications(request: Request): Promise<Application[]> {
  const { pk, prefix } = usageKeys.applicationsSeen();
  const items = await queryAll<Key & SeenItem>(request, { pk });
  const seen = new Map(
    items.filter(({ sk }) => sk.startsWith(prefix)).map((item) => [item.sk.slice(prefix.length), item]),
  );
  return applicationEntity
    .decodeAmong(request, items)
    .filter((about) => isUnexpired(about) && isVisible(request, seen.get(about.appName)))
    .map((about) => toApplication(request, about, seen.get(about.appName)));
}

/** Tells whether an application is visible to the caller: it reports from no project, or from one that they see. */
function isVisible(request: Request, seen: SeenItem | undefined): boolean {
  const projects = reportedFromOf(seen).map(([project]) => project);
  return isVisibleIn(request, projects);
}

/** Returns the projects and environments from which an application has reported. */
function reportedFromOf(seen: SeenItem | undefined): [project: string, environment: string][] {
  return Object.keys(seen ?? {})
    .filter((name) => name.startsWith(usagePrefix))
    .toSorted()
    .map((name) => {
      const [project = '', environment = ''] = name.slice(usagePrefix.length).split('#');
      return [project, environment];
    });
}

/** Returns the names that the caller may see, of known and unknown applications. */
export async function listVisibleApplications(request: Request, appNames: Iterable<string>): Promise<Set<string>> {
  const names = [...new Set(appNames)];
  if (seesAllProjects(request)) return new Set(names);
  const seen = await readItems<SeenItem>(request, names.map(usageKeys.applicationSeen));
  return new Set(names.filter((_, index) => isVisible(request, seen[index])));
}

/** @throws ApiError 404 for an unknown application. */
export async function loadApplication(request: Request, appName: string): Promise<Versioned<Application>> {
  const [stored, seen] = await Promise.all([
    applicationEntity.find(request, appName),
    readItem<SeenItem>(request, usageKeys.applicationSeen(appName)),
  ]);
  if (stored === undefined || !isUnexpired(stored.value) || !isVisible(request, seen))
    throw notFound('application', appName);
  return { value: toApplication(request, stored.value, seen), version: stored.version, shown: true };
}

/** Lists the instances of an application that reported from an environment within a day; none for an unknown one. */
export async function listKnownInstances(request: Request, appName: string, environment: string): Promise<Instance[]> {
  const [{ stored, isHiddenFromCaller }, instances] = await Promise.all([
    loadForChange(request, appName),
    listInstances(request, appName, environment),
  ]);
  return stored === undefined || isHiddenFromCaller ? [] : instances;
}

function toApplication(request: Request, about: AboutApplication, seen: SeenItem | undefined): Application {
  const { appName, createdAt, description, url, color, icon } = about;
  const { seenAt = createdAt, sdkVersion, strategies, droppedParts = 0 }: Partial<SeenItem> = seen ?? {};
  const byProject = Map.groupBy(reportedFromOf(seen), ([project]) => project);
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
      .map(([project, pairs]) => ({ project, environments: pairs.map(([, environment]) => environment) })),
  };
}

/** Reads an application, and whether it is hidden from the caller. */
async function loadForChange(request: Request, appName: string) {
  const [stored, seen] = await Promise.all([
    applicationEntity.find(request, appName),
    seesAllProjects(request) ? undefined : readItem<SeenItem>(request, usageKeys.applicationSeen(appName)),
  ]);
  return { stored, isHiddenFromCaller: !isVisible(request, seen) };
}

/** The description of an application that nobody has described. */
export const emptyDescription = { description: null, url: null, color: null, icon: null, strategies: [] };

/**
 * Describes an application, which need not have reported yet; omitted fields stay as they are.
 * @throws ApiError 404 for an application that is hidden from the caller; 412 if `If-Match` does not match.
 */
export function describeApplication(request: Request, actor: Actor, appName: string, input: ApplicationInput) {
  return change(request, actor, {
    items: [applicationEntity.keyOf(appName)],
    read: () => loadForChange(request, appName),
    revisionOf: ({ stored }) => stored,
    decide: ({ stored, isHiddenFromCaller }, createdAt) => {
      if (isHiddenFromCaller) throw notFound('application', appName);
      const { expiresAtSeconds: _end, ...before }: Partial<AboutApplication> = stored?.value ?? {};
      const after = { ...emptyDescription, appName, createdAt, ...before, ...input };
      if (stored === undefined) {
        const { version, ...effects } = applicationEntity.buildCreationEffects(after, createdAt, 'retry');
        return { ...effects, result: { value: undefined, version } };
      }
      const effects = applicationEntity.buildUpdateEffects(stored, after);
      return { ...effects, result: versionAfter(stored, effects) };
    },
  });
}

/** The shortest extension of an expiry; shorter ones would cost more writes. */
const minExtensionSeconds = 24 * 60 * 60;

/** Creates the applications that have reported for the first time, and extends the expiry of known ones. */
export async function announceApplications(request: Request, appNames: readonly string[]): Promise<void> {
  const known = await applicationEntity.findSome(request, appNames);
  const expiresAtSeconds = computeExpiry(applicationSeconds);
  for (const appName of appNames) {
    const about = known.get(appName);
    if (about !== undefined) {
      const { expiresAtSeconds: current = Number.POSITIVE_INFINITY } = about;
      if (current < expiresAtSeconds - minExtensionSeconds)
        await extendExpiry(request, applicationEntity.keyOf(appName), expiresAtSeconds);
      continue;
    }
    try {
      const build = (createdAt: string) => ({ ...emptyDescription, appName, createdAt, expiresAtSeconds });
      await applicationEntity.create(request, systemUser, build);
    } catch (error) {
      // Another process has created the application meanwhile.
      if (!(error instanceof ApiError && error.name === 'NameExistsError')) throw error;
    }
  }
}

/**
 * Deletes an application, until it reports again. The items of its instances expire within two days, and are not shown
 * for an unknown application.
 * @throws ApiError 412 if `If-Match` does not match.
 */
export function deleteApplication(request: Request, actor: Actor, appName: string): Promise<undefined> {
  return change(request, actor, {
    items: [applicationEntity.keyOf(appName)],
    read: () => loadForChange(request, appName),
    revisionOf: ({ stored }) => stored,
    decide: ({ stored, isHiddenFromCaller }) => {
      if (stored === undefined || isHiddenFromCaller) return { ...noEffects, result: undefined };
      const { writes, events } = applicationEntity.buildRemovalEffects(stored);
      return { writes: [...writes, { remove: usageKeys.applicationSeen(appName) }], events, result: undefined };
    },
  });
}

/** Extends the expiry of an item outside of any transaction; does nothing for an item without expiry or a missing one. */
async function extendExpiry(work: Work, key: Key, expiresAtSeconds: number): Promise<void> {
  const hasEnd = { ConditionExpression: 'attribute_exists(expiresAtSeconds)' };
  await changeItem(work, key, { set: { expiresAtSeconds } }, hasEnd);
}
