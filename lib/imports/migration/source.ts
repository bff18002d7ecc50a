import { isDeepStrictEqual } from 'node:util';
import { invalid, shown } from '../../errors.ts';
import { isName, nameRule } from '../../values/primitives.ts';
import { type Get, isThing, type Missing, type OnRead, Reading, type Thing, textIn } from './reading.ts';

/** A project of a server, with what its own paths say of it. */
export interface SourceProject {
  readonly id: string;
  readonly listed: Thing;
  readonly overview: Thing | undefined;
  readonly environments: readonly Thing[] | undefined;
  readonly access: Thing | undefined;
  /** The environments in which changes need approval, with what that takes. */
  readonly approvals: readonly Thing[];
}

/** A flag of a server: what lists and its own path say of it, with its tags, its stages and its strategies. */
export interface SourceFeature {
  readonly name: string;
  readonly project: string;
  /** As lists show it. */
  readonly listed: Thing;
  readonly content: Thing;
}

/** A thing that cannot be asked for. */
interface Unreadable {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
}

/** The contents of a server, as far as it shows them. */
export interface SourceContent {
  readonly version: string;
  readonly uiConfig: Thing;
  readonly lists: Readonly<Record<ListName, readonly Thing[]>>;
  readonly projects: readonly SourceProject[];
  readonly features: readonly SourceFeature[];
  /** The person who reads, or the token. */
  readonly me: Thing | undefined;
  /** Ways of single sign-on that are on. */
  readonly signOn: readonly string[];
  /** By rising id. */
  readonly events: readonly Thing[];
  readonly missing: readonly Missing[];
  readonly unreadable: readonly Unreadable[];
}

interface ListRead {
  readonly path: string;
  readonly member: string;
  readonly consequence?: string;
}

/** The lists that are read whole, and the consequence where a server has one not. */
const listReads = {
  environments: {
    path: 'environments',
    member: 'environments',
    consequence: 'no environments, and so nothing in them',
  },
  featureTypes: { path: 'feature-types', member: 'types', consequence: 'no lifetimes of flag types' },
  contextFields: { path: 'context', member: 'contextFields', consequence: 'no context fields' },
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
} as const satisfies Record<string, ListRead>;
export type ListName = keyof typeof listReads;

/** Settings that are read only to be named: their secrets, and the address that they are for, do not come along. */
const settingReads = ['auth/saml/settings', 'auth/oidc/settings'] as const;

const at = (path: string) => `/api/admin/${path}`;
const featurePage = 100;
const eventPage = 1_000;

/**
 * Reads all that a server shows by GETs.
 * @param earlier what was read of it before: flags that neither lists nor events show as changed are not read again.
 * @throws ApiError 400 in one sentence for a server that is no Unleash, refuses the token, or answers something else than
 * Unleash does.
 */
export async function readSource(get: Get, onRead: OnRead = () => {}, earlier?: SourceContent): Promise<SourceContent> {
  const reading = new Reading(get, onRead);
  const uiConfig = await reading.thing(at('ui-config'));
  const version = uiConfig && textIn(uiConfig, 'version');
  if (uiConfig === undefined || version === undefined) {
    throw invalid(
      'The server does not answer as Unleash does: /api/admin/ui-config names no version. Is the address right?',
    );
  }
  const unreadable: Unreadable[] = [];
  const lists = await readLists(reading);
  const projects = await readProjects(reading, unreadable);
  const searched = await searchEvents(reading, earlier?.events);
  const changed = new Set(searched?.slice(earlier?.events.length).map(({ featureName }) => featureName));
  const known = (earlier?.features ?? []).filter(({ name }) => searched !== undefined && !changed.has(name));
  const features = await readFeatures(reading, projects, unreadable, new Map(known.map((each) => [each.name, each])));
  const events = searched ?? (await eventsOf(reading, features));
  const me = await reading.thing(at('user'));
  const settings = await Promise.all(settingReads.map((path) => reading.thing(at(path))));
  const enabled = settingReads.filter((_, index) => settings[index]?.enabled === true);
  return {
    ...{ version, uiConfig, projects, features, events, unreadable, me },
    lists,
    signOn: enabled,
    // They come in whatever order the server answers.
    missing: reading.missing.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

async function readLists(reading: Reading): Promise<Record<ListName, Thing[]>> {
  const entries = Object.entries<ListRead>(listReads).map(async ([name, { path, member, consequence }]) => {
    const list = (await reading.list(at(path), member, consequence)) ?? [];
    return [name, list] as const;
  });
  const lists = Object.fromEntries(await Promise.all(entries)) as Record<ListName, Thing[]>;
  // Lists of roles do not say what these allow.
  lists.roles = await reading.each('roles', lists.roles, async (role) => {
    const whole = Number.isSafeInteger(role.id) && (await reading.thing(at(`roles/${role.id}`), 'not its permissions'));
    return { ...role, ...(whole || {}) };
  });
  return lists;
}

async function readProjects(reading: Reading, unreadable: Unreadable[]): Promise<SourceProject[]> {
  const live = await reading.list(at('projects'), 'projects', 'no projects, and so no flags');
  const archived = await reading.list(at('projects?archived=true'), 'projects');
  const all = new Map([...(archived ?? []), ...(live ?? [])].map((project) => [project.id, project]));
  const named = [...all.values()].flatMap((listed) => nameIn(listed, 'id', 'project', unreadable));
  return reading.each('projects', named, async ({ name: id, thing: listed }) => {
    const [overview, environments, access] = await Promise.all([
      reading.thing(at(`projects/${id}/overview`), 'not its settings and default strategies'),
      reading.list(at(`environments/project/${id}`), 'environments', 'not its environments'),
      reading.thing(at(`projects/${id}/access`), 'not its members (open source shows none)'),
    ]);
    const needing = Array.isArray(overview?.environments) ? overview.environments.filter(needsApproval) : [];
    const config =
      needing.length === 0
        ? []
        : await reading.list(
            at(`projects/${id}/change-requests/config`),
            'environments',
            'not how many approve changes',
          );
    const approvals = needing.map(({ environment }) => ({
      environment,
      ...config?.find((each) => each.environment === environment),
    }));
    return { id, listed, overview, environments, access, approvals };
  });
}

function needsApproval(environment: unknown): environment is Thing {
  return isThing(environment) && environment.changeRequestsEnabled === true;
}

/** Returns a thing with its name, unless nothing of that name can be asked for. */
function nameIn(
  thing: Thing,
  member: string,
  kind: string,
  unreadable: Unreadable[],
): { name: string; thing: Thing }[] {
  const name = textIn(thing, member);
  if (name !== undefined && isName(name)) return [{ name, thing }];
  unreadable.push({ kind, name: shown(String(thing[member])), reason: nameRule });
  return [];
}

async function readFeatures(
  reading: Reading,
  projects: readonly SourceProject[],
  unreadable: Unreadable[],
  earlier: ReadonlyMap<string, SourceFeature>,
): Promise<SourceFeature[]> {
  const listed = await listFeatures(reading, projects);
  const known = new Set(projects.map(({ id }) => id));
  const named = listed.flatMap((thing) => nameIn(thing, 'name', 'feature', unreadable));
  return reading.each('features', named, async ({ name, thing }) => {
    const project = textIn(thing, 'project') ?? '';
    if (!known.has(project)) return { name, project, listed: thing, content: thing };
    const before = earlier.get(name);
    if (before !== undefined && isDeepStrictEqual(settled(before.listed), settled(thing))) return before;
    const own = `projects/${project}/features/${name}`;
    const [whole, stages] = await Promise.all([
      reading.thing(at(`${own}?variantEnvironments=true`)),
      reading.list(at(`${own}/lifecycle`), 'stages'),
    ]);
    const tags = 'tags' in thing ? thing.tags : ((await reading.list(at(`features/${name}/tags`), 'tags')) ?? []);
    const content = { ...thing, ...(whole ?? (await archivedState(reading, own, thing))) };
    return { name, project, listed: thing, content: { ...content, tags, ...(stages && { stages }) } };
  });
}

/** Lists all flags, archived ones included, by the ways that the releases of Unleash have had. */
async function listFeatures(reading: Reading, projects: readonly SourceProject[]): Promise<Thing[]> {
  const options = { member: 'features', idOf: (thing: Thing) => textIn(thing, 'name') };
  const search = (archived: boolean) =>
    reading.pages(
      (offset) => at(`search/features?archived=IS:${archived}&sortBy=name&limit=${featurePage}&offset=${offset}`),
      options,
    );
  const live = await search(false);
  if (live === undefined) {
    const ofProjects = await reading.each('projects', projects, ({ id }) =>
      reading.list(at(`projects/${id}/features`), 'features', 'not its flags'),
    );
    const archived = await reading.list(at('archive/features'), 'features', 'no archived flags');
    return [...ofProjects.flatMap((list) => list ?? []), ...(archived ?? [])];
  }
  const known = new Set(live.map(({ name }) => name));
  const found = ((await search(true)) ?? []).filter(({ name }) => !known.has(name));
  // Searches leave tags out where there are none, and older ones find no archived flags.
  const searched = [...live, ...found].map((thing) => ({ tags: [], ...thing }));
  const archived = found.length > 0 ? undefined : await reading.list(at('archive/features'), 'features');
  return [...searched, ...(archived ?? [])];
}

/** Reads the strategies of an archived flag, which in newer releases has no other path. */
async function archivedState(reading: Reading, own: string, { environments }: Thing): Promise<Thing> {
  const states = (Array.isArray(environments) ? environments.filter(isThing) : []).map(async (environment) => {
    const name = textIn(environment, 'name') ?? '';
    if (environment.hasStrategies === false || !isName(name)) return { ...environment, strategies: [] };
    const strategies = await reading.list(
      at(`${own}/environments/${name}/strategies`),
      'strategies',
      'not its strategies',
    );
    return { ...environment, strategies: strategies ?? [] };
  });
  return { environments: await Promise.all(states) };
}

/** Returns a listed flag without its use, which is not followed. */
function settled(listed: Thing): unknown {
  const use = ['lastSeenAt', 'yes', 'no'];
  return JSON.parse(JSON.stringify(listed, (key, value) => (use.includes(key) ? undefined : value)));
}

/** Reads the audit log, or what has come to it since it was read; undefined for a server without a search. */
async function searchEvents(reading: Reading, earlier: readonly Thing[] = []): Promise<Thing[] | undefined> {
  const lastId = Number(earlier.at(-1)?.id ?? 0);
  const found = await reading.pages(
    (offset) => at(`search/events?limit=${eventPage}&offset=${offset}`),
    {
      member: 'events',
      idOf: ({ id }) => (Number.isSafeInteger(id) ? String(id) : undefined),
      consequence: 'of the history only the newest events of each flag',
    },
    (page) => lastId > 0 && page.some(({ id }) => Number(id) <= lastId),
  );
  return found && [...earlier, ...inOrder(found).filter(({ id }) => Number(id) > lastId)];
}

/** Reads the events of flags as far back as a server without a search shows them. */
async function eventsOf(reading: Reading, features: readonly SourceFeature[]): Promise<Thing[]> {
  const lists = await reading.each('events', features, ({ name }) =>
    reading.list(at(`events/${name}`), 'events', 'not its history'),
  );
  return inOrder(lists.flatMap((list) => list ?? []));
}

function inOrder(events: readonly Thing[]): Thing[] {
  return events.filter(({ id }) => Number.isSafeInteger(id)).toSorted((a, b) => Number(a.id) - Number(b.id));
}

/** Reads the id of the newest event of a server; undefined where it has no search. */
export async function newestEventId(get: Get): Promise<number | undefined> {
  const [newest] = (await new Reading(get, () => {}).list(at('search/events?limit=1&offset=0'), 'events')) ?? [];
  return Number.isSafeInteger(newest?.id) ? Number(newest?.id) : undefined;
}
