import { invalid, truncate } from '../../errors.ts';
import { isJsonObject, type JsonObject, toList } from '../../values/json.ts';
import { distinctBy } from '../../values/lists.ts';
import { isName, nameRule } from '../../values/primitives.ts';
import { readAbsent } from './absent.ts';
import { type Get, type Missing, type OnRead, Reading, type Remark, textIn } from './reading.ts';
import { isWholePlan } from './server-values.ts';
import { SourceCopy, type SourceListing } from './source-copy.ts';

/** A project of a server, with the answers of its own paths. */
export interface SourceProject {
  readonly id: string;
  readonly listed: JsonObject;
  readonly overview: JsonObject | undefined;
  readonly environments: readonly JsonObject[] | undefined;
  readonly access: JsonObject | undefined;
  /** The environments in which changes need approval, with their settings. */
  readonly approvals: readonly JsonObject[];
}

/** A thing that no path can name. */
interface Unreadable {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
}

/** The contents that a server shows. */
export interface SourceContent {
  readonly version: string;
  readonly uiConfig: JsonObject;
  readonly lists: Readonly<Record<ListName, readonly JsonObject[]>>;
  /** The complete lists: those that the server has and shows to an administrator. */
  readonly whole: ReadonlySet<ListName>;
  readonly projects: readonly SourceProject[];
  /** Flags and events. */
  readonly copy: SourceCopy;
  /** The owner of the token, or the token itself. */
  readonly me: JsonObject | undefined;
  /** Things that cannot be imported. */
  readonly absent: readonly Remark[];
  readonly missing: readonly Missing[];
  readonly unreadable: readonly Unreadable[];
}

interface ListRead {
  readonly path: string;
  readonly member: string;
  readonly consequence?: string;
}

/** The lists, each with the consequence if the server does not have it. */
const listReads = {
  environments: {
    path: 'environments',
    member: 'environments',
    consequence: 'no environments, and so nothing in them',
  },
  projects: { path: 'projects', member: 'projects', consequence: 'no projects, and so no flags' },
  featureTypes: { path: 'feature-types', member: 'types', consequence: 'no lifetimes of flag types' },
  contextFields: { path: 'context?include=project', member: 'contextFields', consequence: 'no context fields' },
  strategies: { path: 'strategies', member: 'strategies', consequence: 'no strategy types' },
  segments: { path: 'segments', member: 'segments', consequence: 'no segments, nor the flags that use one' },
  tagTypes: { path: 'tag-types', member: 'tagTypes', consequence: 'no tag types, nor the flags that have tags' },
  tags: { path: 'tags', member: 'tags', consequence: 'no tags but those that flags have' },
  roles: { path: 'roles', member: 'roles', consequence: 'no roles of your own (open source has none)' },
  users: { path: 'user-admin', member: 'users', consequence: 'no users' },
  rootRoles: { path: 'user-admin', member: 'rootRoles' },
  serviceAccounts: {
    path: 'service-account',
    member: 'serviceAccounts',
    consequence: 'no service accounts (open source has none)',
  },
  groups: { path: 'groups', member: 'groups', consequence: 'no groups (open source has none)' },
  tokens: { path: 'api-tokens', member: 'tokens', consequence: 'no SDK tokens: applications need new ones' },
  addons: { path: 'addons', member: 'addons', consequence: 'no integrations' },
  banners: { path: 'banners', member: 'banners' },
  releaseTemplates: { path: 'release-plan-templates', member: 'templates' },
  applications: {
    path: 'metrics/applications?limit=1000',
    member: 'applications',
    consequence: 'not what people say of applications',
  },
} as const satisfies Record<string, ListRead>;
/** The name of a list. */
export type ListName = keyof typeof listReads;

const at = (path: string) => `/api/admin/${path}`;
const featurePage = 100;
const eventPage = 1_000;

/**
 * Reads everything that a server shows by GETs.
 * @param copy receives the flags and events. A filled copy is updated: flags are read again if lists or events show a change.
 * @throws ApiError 400 in one sentence for a server that is no Unleash, refuses the token, or answers differently from Unleash.
 */
export async function readSource(
  get: Get,
  onRead: OnRead = () => {},
  copy: SourceCopy = new SourceCopy(),
): Promise<SourceContent> {
  const reading = new Reading(get, onRead);
  const uiConfig = await reading.thing(at('ui-config'));
  const version = uiConfig && textIn(uiConfig, 'version');
  if (uiConfig === undefined || version === undefined) {
    throw invalid(
      'The server does not answer as Unleash does: /api/admin/ui-config names no version. Is the address right?',
    );
  }
  const unreadable: Unreadable[] = [];
  const { lists, present } = await readLists(reading);
  const projects = await readProjects(reading, lists.projects, unreadable);
  const isSearched = await searchEvents(reading, copy);
  // The newest events show which flags were deleted recently.
  if (!isSearched) copy.addEvents((await reading.list(at('events'), 'events')) ?? []);
  await readFeatures(reading, projects, unreadable, copy, isSearched);
  const me = await reading.thing(at('user'));
  const approving = projects.flatMap(({ id, approvals }) => (approvals.length > 0 ? [id] : []));
  const absent = await readAbsent(reading, approving);
  copy.complete();
  return {
    ...{ version, uiConfig, lists, projects, copy, me, absent },
    whole: new Set(isAdministrator(me) ? present : []),
    // Two lists can show the same thing.
    unreadable: distinctBy(unreadable, ({ kind, name }) => `${kind} ${name}`),
    // The order of the answers is random.
    missing: reading.missing.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

async function readLists(reading: Reading): Promise<{ lists: Record<ListName, JsonObject[]>; present: ListName[] }> {
  const entries = Object.entries<ListRead>(listReads).map(
    async ([name, { path, member, consequence }]) =>
      [name as ListName, await reading.list(at(path), member, consequence)] as const,
  );
  const read = await Promise.all(entries);
  const lists = Object.fromEntries(read.map(([name, list = []]) => [name, list])) as Record<ListName, JsonObject[]>;
  const withDetails = async (list: string, thing: JsonObject, consequence: string) => ({
    ...thing,
    ...(Number.isSafeInteger(thing.id) && (await reading.thing(at(`${list}/${thing.id}`), consequence))),
  });
  // Lists of roles have no permissions, and lists of groups may have no members.
  lists.roles = await reading.each('roles', lists.roles, (role) => withDetails('roles', role, 'not its permissions'));
  lists.groups = await reading.each('groups', lists.groups, async (group) =>
    group.users === undefined ? await withDetails('groups', group, 'not its members') : group,
  );
  lists.releaseTemplates = await readReleaseTemplates(reading, lists);
  return { lists, present: read.flatMap(([name, list]) => (list === undefined ? [] : name)) };
}

/** Reads release templates with their milestones, those of projects included. */
async function readReleaseTemplates(
  reading: Reading,
  { releaseTemplates, projects }: Record<ListName, JsonObject[]>,
): Promise<JsonObject[]> {
  // A server without templates of its own has none in projects.
  const owners = releaseTemplates.length === 0 ? [] : projects.map(({ id }) => id);
  const ofProjects = await Promise.all(
    owners.map((id) => reading.list(at(`projects/${id}/release-templates`), 'templates')),
  );
  const listed = distinctBy([...releaseTemplates, ...ofProjects.flatMap((list) => list ?? [])], ({ id }) => id);
  return await reading.each('release templates', listed, async (template) => ({
    ...template,
    ...(await reading.thing(at(`release-plan-templates/${template.id}`), 'not its milestones')),
  }));
}

function isAdministrator(me: JsonObject | undefined): boolean {
  return toList(me?.permissions).some((permission) => isJsonObject(permission) && permission.permission === 'ADMIN');
}

async function readProjects(reading: Reading, live: readonly JsonObject[], unreadable: Unreadable[]) {
  const archived = await reading.list(at('projects?archived=true'), 'projects');
  const all = new Map([...(archived ?? []), ...live].map((project) => [project.id, project]));
  const named = [...all.values()].flatMap((listed) => nameIn(listed, 'id', 'project', unreadable));
  return reading.each('projects', named, async ({ name: id, thing: listed }) => {
    const [overview, environments, access] = await Promise.all([
      reading.thing(at(`projects/${id}/overview`), 'not its settings and default strategies'),
      reading.list(at(`environments/project/${id}`), 'environments', 'not its environments'),
      reading.thing(at(`projects/${id}/access`), 'not its members (open source shows none)'),
    ]);
    const protectedEnvironments = toList(overview?.environments).filter(needsApproval);
    const config =
      protectedEnvironments.length === 0
        ? []
        : await reading.list(
            at(`projects/${id}/change-requests/config`),
            'environments',
            'not how many approve changes',
          );
    const approvals = protectedEnvironments.map(({ environment }) => ({
      environment,
      ...config?.find((item) => item.environment === environment),
    }));
    return { id, listed, overview, environments, access, approvals };
  });
}

/** Returns the names of the environments of a project. */
export function environmentNamesOf({ overview, environments = [] }: SourceProject): unknown[] {
  // The list has the environments of the service; newer releases say which of them the project has.
  return Array.isArray(overview?.environments)
    ? overview.environments.map((item) => (isJsonObject(item) ? item.environment : item))
    : environments.filter(({ visible }) => visible !== false).map(({ name }) => name);
}

function needsApproval(environment: unknown): environment is JsonObject {
  return isJsonObject(environment) && environment.changeRequestsEnabled === true;
}

/** Returns a thing with its name, unless no path can have that name. */
function nameIn(thing: JsonObject, member: string, kind: string, unreadable: Unreadable[]) {
  const name = textIn(thing, member);
  if (name !== undefined && isName(name)) return [{ name, thing }];
  unreadable.push({ kind, name: truncate(String(thing[member])), reason: nameRule });
  return [];
}

async function readFeatures(
  reading: Reading,
  projects: readonly SourceProject[],
  unreadable: Unreadable[],
  copy: SourceCopy,
  hasEvents: boolean,
): Promise<void> {
  copy.beginList();
  for await (const page of listFeatures(reading, projects)) {
    for (const { name, thing } of page.flatMap((listed) => nameIn(listed, 'name', 'feature', unreadable))) {
      // Lists omit empty tags.
      copy.list({ name, project: textIn(thing, 'project') ?? '', listed: { tags: [], ...thing } });
    }
  }
  copy.endList();
  if (!hasEvents) copy.forgetContents();
  const environmentNames = new Map(projects.map((project) => [project.id, environmentNamesOf(project)]));
  const total = copy.unreadCount;
  for (let page = copy.unread, before = 0; page.length > 0; before += page.length, page = copy.unread) {
    const read = async (listed: SourceListing) => {
      if (!hasEvents) await readEventsOf(reading, listed.name, copy);
      copy.keep(listed.name, await readFeature(reading, environmentNames, listed));
    };
    await reading.each('features', page, read, { before, total });
  }
}

async function readFeature(
  reading: Reading,
  environmentNames: ReadonlyMap<string, readonly unknown[]>,
  { name, project, listed }: SourceListing,
): Promise<JsonObject> {
  const names = environmentNames.get(project);
  if (names === undefined) return listed;
  const own = `projects/${project}/features/${name}`;
  const isArchived = typeof listed.archivedAt === 'string';
  const shown = await reading.thing(at(`${own}?variantEnvironments=true`), isArchived ? 'not its links' : undefined);
  const isNew = isJsonObject(shown?.lifecycle) && shown.lifecycle.stage === 'initial';
  // Some servers have no lifecycle, or it is off. Servers without a path for archived flags have no path below it either.
  const consequence = shown && 'of the lifecycle of flags only its beginning';
  // A flag in its first stage has no other stages.
  const stages = isNew ? undefined : await reading.list(at(`${own}/lifecycle`), 'stages', consequence);
  const state = shown ? await withPlans(reading, own, shown) : await archivedState(reading, own, listed, names);
  return { ...listed, ...state, ...(stages && { stages }) };
}

/**
 * Returns a flag with the strategies that SDKs get, where its release plan is not shown whole. Its own answer omits the strategies of
 * release plans, which come first.
 */
async function withPlans(reading: Reading, own: string, flag: JsonObject): Promise<JsonObject> {
  if (!hasPartialReleasePlan(flag)) return flag;
  const environments = (flag.environments as unknown[]).filter(isJsonObject).map(async (environment) => {
    const { name } = environment;
    if (!hasPartialPlan(environment) || typeof name !== 'string' || !isName(name)) return environment;
    const path = at(`${own}/environments/${name}/strategies`);
    const list = await reading.list(path, 'strategies', 'not the strategies of its release plan');
    return {
      ...environment,
      ...(list && { strategies: list.map((strategy, sortOrder) => ({ ...strategy, sortOrder })) }),
    };
  });
  return { ...flag, environments: await Promise.all(environments) };
}

const hasPartialPlan = ({ releasePlans }: JsonObject) =>
  Array.isArray(releasePlans) && releasePlans.length > 0 && !isWholePlan(releasePlans[0]);

/** Tells whether a server does not show the milestones of a flag's release plan in any environment. */
export function hasPartialReleasePlan({ environments }: JsonObject): boolean {
  return toList(environments).filter(isJsonObject).some(hasPartialPlan);
}

/**
 * Lists all flags, also archived ones, in the ways of all releases of Unleash. For each page of a search, a server reads all
 * flags, so that a search is used only where the server has no list.
 */
async function* listFeatures(reading: Reading, projects: readonly SourceProject[]): AsyncGenerator<JsonObject[]> {
  const ofProjects = await reading.each('projects', projects, async ({ id }) => {
    const list = await reading.list(at(`projects/${id}/features`), 'features');
    return list?.map((listed) => ({ ...listed, project: id }));
  });
  const lists = ofProjects.filter((list) => list !== undefined);
  yield* lists;
  const search = (isArchived: boolean, limit: number, offset = 0) =>
    at(`search/features?archived=IS:${isArchived}&sortBy=name&limit=${limit}&offset=${offset}`);
  const searched = (isArchived: boolean, consequence: string) =>
    reading.pages((offset) => search(isArchived, featurePage, offset), {
      ...{ member: 'features', idOf: ({ name }: JsonObject) => name, consequence },
    });
  const { total } = (await reading.thing(search(false, 1))) ?? {};
  const hasAllFlags = lists.length === projects.length && !(Number(total) > lists.flat().length);
  if (!hasAllFlags) yield* searched(false, 'not all flags');
  const archived = await reading.list(at('archive/features'), 'features');
  if (archived !== undefined) yield archived;
  else yield* searched(true, 'no archived flags');
}

/**
 * Reads the state of an archived flag from several paths. Lists of old releases show neither its tags nor its environments;
 * it then has the environments of its project.
 */
async function archivedState(
  reading: Reading,
  own: string,
  { name: flag, environments }: JsonObject,
  environmentNames: readonly unknown[],
): Promise<JsonObject> {
  const listed = toList(environments).filter(isJsonObject);
  const all = listed.length > 0 ? listed : environmentNames.map((name): JsonObject => ({ name }));
  const states = all.map(async ({ name, hasStrategies, variantCount, ...about }) => {
    if (typeof name !== 'string' || !isName(name)) return { name };
    const path = at(`${own}/environments/${name}`);
    const list = async (member: string, isEmpty: boolean) =>
      isEmpty ? [] : ((await reading.list(`${path}/${member}`, member, `not its ${member}`)) ?? []);
    const [strategies, variants, state] = await Promise.all([
      list('strategies', hasStrategies === false),
      list('variants', variantCount === 0),
      listed.length > 0 ? about : reading.thing(path, 'not in which environments it was on'),
    ]);
    return { ...about, name, enabled: state?.enabled, strategies, variants };
  });
  const tags = listed.length > 0 ? undefined : await reading.list(at(`features/${flag}/tags`), 'tags');
  return { environments: await Promise.all(states), ...(tags && { tags }) };
}

/** Reads the audit log, or its events since the last read. @returns false for a server without a search. */
async function searchEvents(reading: Reading, copy: SourceCopy): Promise<boolean> {
  const options = {
    ...{ member: 'events', idOf: ({ id }: JsonObject) => id },
    consequence: 'of the history only that of each flag, and the newest hundred events',
  };
  let isSearched = false;
  for await (const page of reading.pages(
    (offset) => at(`search/events?limit=${eventPage}&offset=${offset}`),
    options,
  )) {
    isSearched = true;
    copy.addEvents(page);
    if (page.some(({ id }) => Number(id) <= copy.completeUpTo)) break;
  }
  return isSearched;
}

/** Reads the events of a flag that a server without a search shows. */
async function readEventsOf(reading: Reading, name: string, copy: SourceCopy): Promise<void> {
  copy.addEvents((await reading.list(at(`events/${name}`), 'events', 'not its history')) ?? []);
}

/** Reads the id of the newest event of a server; undefined for a server without a search. */
export async function newestEventId(get: Get): Promise<number | undefined> {
  const [newest] = (await new Reading(get, () => {}).list(at('search/events?limit=1&offset=0'), 'events')) ?? [];
  return Number.isSafeInteger(newest?.id) ? Number(newest?.id) : undefined;
}
