import { setTimeout as sleep } from 'node:timers/promises';
import { type Export, fetchExport } from '../../../infra/commands/fetch-export.ts';
import { type Address, get, send, type TimedCall } from '../../harness/http-call.ts';
import { orderedJson } from '../crash/normal-form.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A kind of things: the list in which servers show them, and what both are to show alike. */
interface Kind {
  readonly path: string;
  readonly member: string;
  /** The members that are compared, the one first by which a thing is known. */
  readonly members: readonly string[];
  /** Returns further members that are compared, with names in place of ids. */
  readonly more?: (thing: Shown) => Shown;
  /** False for what each server has of itself. */
  readonly isOwn?: (thing: Shown) => boolean;
}

/** A person as servers show one in groups and projects. */
interface Person {
  readonly username?: string | null;
  readonly email?: string | null;
  readonly name?: string | null;
  readonly roles?: readonly number[];
}

const nameOf = ({ username, email, name }: Person) => username ?? email ?? name ?? '';

const builtInFields = ['appName', 'currentTime', 'environment', 'sessionId', 'userId', 'remoteAddress'];

/** The time of creation of what is not there from the beginning, when each server was made at a time of its own. */
const createdLater = (names: readonly string[], { createdAt, ...thing }: Shown): Shown =>
  names.includes(String(thing.id ?? thing.name)) || names.includes(String(thing.username)) ? {} : { createdAt };

const kinds: Readonly<Record<string, Kind>> = {
  environments: { path: 'environments', member: 'environments', members: ['name', 'type', 'enabled', 'sortOrder'] },
  projects: {
    path: 'projects',
    member: 'projects',
    members: ['id', 'name', 'description', 'mode', 'defaultStickiness'],
    more: (project) => createdLater(['default'], project),
  },
  'feature types': { path: 'feature-types', member: 'types', members: ['id', 'lifetimeDays'] },
  'context fields': {
    path: 'context?include=project',
    member: '',
    members: ['name', 'description', 'stickiness', 'sortOrder', 'legalValues', 'project'],
    more: (field) => createdLater(builtInFields, field),
  },
  'strategy types': {
    path: 'strategies',
    member: 'strategies',
    members: ['name', 'title', 'description', 'parameters', 'deprecated'],
    // One that Unleash has dropped is built in here.
    isOwn: ({ editable, name }) => editable === true && name !== 'userWithId',
  },
  'tag types': { path: 'tag-types', member: 'tagTypes', members: ['name', 'description', 'icon'] },
  tags: { path: 'tags', member: 'tags', members: ['value', 'type'] },
  segments: {
    path: 'segments',
    member: 'segments',
    members: ['id', 'name', 'description', 'constraints', 'project', 'createdAt'],
  },
  users: {
    path: 'user-admin',
    member: 'users',
    members: ['email', 'username', 'name', 'rootRole'],
    more: (user) => createdLater(['admin'], user),
  },
  groups: {
    path: 'groups',
    member: 'groups',
    members: ['name', 'description', 'mappingsSSO', 'rootRole'],
    more: ({ users = [] }) => ({ members: (users as { user: Person }[]).map(({ user }) => nameOf(user)).toSorted() }),
  },
  roles: { path: 'roles', member: 'roles', members: ['name', 'description', 'type'] },
  'service accounts': { path: 'service-account', member: 'serviceAccounts', members: ['username', 'name', 'rootRole'] },
  tokens: {
    path: 'api-tokens',
    member: 'tokens',
    members: ['tokenName', 'type', 'environment', 'projects', 'expiresAt', 'createdAt', 'alias'],
    isOwn: ({ type }) => type !== 'admin',
  },
  applications: {
    path: 'metrics/applications?limit=1000',
    member: 'applications',
    members: ['appName', 'description', 'url', 'icon', 'color'],
    // Others make themselves known by their reports.
    isOwn: ({ description }) => typeof description === 'string',
  },
  integrations: {
    path: 'addons',
    member: 'addons',
    members: ['provider', 'description', 'events', 'projects', 'environments'],
  },
};

const pageSize = 100;

/** A thing of which two servers do not show the same. */
interface Unlike {
  readonly kind: string;
  readonly source: string;
  readonly target: string;
}

/** The members of things that are compared, by their names. */
type Things = ReadonlyMap<string, Shown>;

/** Tells whether a thing is here as it is there: it may be of this server itself, and the other may not show all of it. */
function isSame(theirs: Shown | undefined, ours: Shown | undefined, wasBefore = false): boolean {
  if (theirs === undefined) return wasBefore;
  if (ours === undefined) return false;
  const shown = Object.fromEntries(Object.entries(ours).filter(([name]) => theirs[name] !== undefined));
  return orderedJson(withoutEmpty(theirs)) === orderedJson(withoutEmpty(shown));
}

/** Names of things by kind. */
export type NamesByKind = ReadonlyMap<string, ReadonlySet<string>>;

/** Lists a fresh server, so that what it has of itself is not taken for what moved. */
export async function namesByKind(server: Address): Promise<NamesByKind> {
  const names = new Map<string, ReadonlySet<string>>();
  for (const [kind, about] of Object.entries(kinds)) names.set(kind, new Set((await listed(server, about))?.keys()));
  return names;
}

/**
 * Compares everything that two servers list, and their exports of all flags.
 * @returns the numbers of things by kind that both show alike, and those that they do not.
 */
export async function compareKinds(source: Address, target: Address, before: NamesByKind) {
  const alike: Record<string, number> = {};
  const unlike: Unlike[] = [];
  const compare = (kind: string, theirs: Things, ours: Things) => {
    const names = [...new Set([...theirs.keys(), ...ours.keys()])];
    const found = names.filter((name) => !isSame(theirs.get(name), ours.get(name), before.get(kind)?.has(name)));
    alike[kind] = theirs.size - found.length;
    unlike.push(
      ...found.map((name) => ({
        kind,
        source: orderedJson(theirs.get(name) ?? `no ${name}`),
        target: orderedJson(ours.get(name) ?? `no ${name}`),
      })),
    );
  };
  for (const [kind, about] of Object.entries(kinds)) {
    const theirs = await listed(source, about);
    if (theirs !== undefined) compare(kind, theirs, (await listed(target, about)) ?? new Map());
  }
  for (const archived of [false, true]) {
    const kind = archived ? 'archived flags' : 'flags';
    compare(kind, await flagsOf(source, archived), await flagsOf(target, archived));
  }
  compare('accesses to projects', await accessOf(source), await accessOf(target));
  compare('events', ...(await historiesOf(source, target)));
  const { environments } = (await asked(source, get('/api/admin/environments'))) as {
    environments: { name: string }[];
  };
  for (const { name: environment } of environments) {
    const [theirs, ours] = [await exportOf(source, environment), await exportOf(target, environment)];
    for (const part of new Set([...theirs.keys(), ...ours.keys()])) {
      compare(`${part} in ${environment}`, theirs.get(part) ?? new Map(), ours.get(part) ?? new Map());
    }
  }
  return { alike, unlike };
}

const secondsMax = 120;

/** Asks again as long as a server says that it was asked too often. */
export async function asked(server: Address, call: TimedCall): Promise<unknown> {
  for (let seconds = 0; ; seconds += 1) {
    try {
      return await send(server, call);
    } catch (error) {
      if (seconds === secondsMax || !String(error).includes('was answered 429')) throw error;
      await sleep(1_000);
    }
  }
}

/** Reads a path; undefined where the edition of the server has none such. */
function offeredBy(server: Address, path: string): Promise<unknown> {
  return asked(server, get(`/api/admin/${path}`)).catch((error: Error) => {
    if (error.message.includes('was answered 404')) return undefined;
    throw error;
  });
}

/** Lists a kind of a server, as texts by names; nothing where its edition has no such list. */
async function listed(
  server: Address,
  { path, member, members, more, isOwn = () => true }: Kind,
): Promise<Things | undefined> {
  const body = await offeredBy(server, path);
  if (body === undefined) return undefined;
  const things = (member === '' ? body : (body as Shown)[member]) as Shown[];
  return thingsOf(things.filter(isOwn), members, more);
}

function thingsOf(
  things: readonly Shown[],
  members: readonly string[],
  more: (thing: Shown) => Shown = () => ({}),
): Things {
  return new Map(
    things.map((thing) => {
      const shown = { ...Object.fromEntries(members.map((name) => [name, thing[name]])), ...more(thing) };
      const further = ['type', 'environment', 'username'].map((name) => (members.includes(name) ? thing[name] : ''));
      const identity = [thing[members[0] ?? ''], ...further];
      return [identity.join(' '), shown];
    }),
  );
}

async function flagsOf(server: Address, archived: boolean): Promise<Things> {
  const members = [
    'name',
    'project',
    'type',
    'description',
    'impressionData',
    'stale',
    'createdAt',
    'tags',
    'favorite',
    'states',
  ];
  const found: Shown[] = [];
  for (;;) {
    const query = `archived=IS:${archived}&sortBy=name&limit=${pageSize}&offset=${found.length}`;
    const page = (await asked(server, get(`/api/admin/search/features?${query}`))) as {
      features: Shown[];
      total: number;
    };
    found.push(...page.features.map((flag) => ({ ...flag, tags: sorted(flag.tags), states: loadStates(flag) })));
    if (page.features.length === 0 || found.length >= page.total) return thingsOf(found, members);
  }
}

/** The states of a flag in its environments, but for those in which nothing was ever set. */
function loadStates({ environments }: Shown): Shown {
  const states = (environments as Shown[]).map(({ name, enabled, hasStrategies, variantCount }) => [
    String(name),
    enabled === true || hasStrategies === true || Number(variantCount) > 0
      ? { enabled, hasStrategies, variantCount }
      : undefined,
  ]);
  return Object.fromEntries(states);
}

/** The roles of people and groups in each project; nothing where the edition of a server has none. */
async function accessOf(server: Address): Promise<Things> {
  const { projects } = (await asked(server, get('/api/admin/projects'))) as { projects: { id: string }[] };
  const found = new Map<string, Shown>();
  for (const { id } of projects) {
    const body = await offeredBy(server, `projects/${id}/access`);
    const { users = [], groups = [], roles = [] } = (body ?? {}) as Record<string, (Person & { id: number })[]>;
    const titles = new Map(roles.map((role) => [role.id, role.name]));
    for (const each of [...users, ...groups]) {
      found.set(`${nameOf(each)} in ${id}`, { roles: each.roles?.map((role) => titles.get(role)) });
    }
  }
  return found;
}

const eventPage = 1_000;

/** The events of a source by their ids, and those of a target that came from there, by the ids that they had. */
async function historiesOf(source: Address, target: Address): Promise<[Things, Things]> {
  // All projects or environments, which Unleash calls `*`, and a list of some are here none.
  const name = (value: unknown) => (/[*,]/.test(String(value)) ? undefined : value);
  const viewOf = ({ type, createdAt, createdBy, featureName, project, environment }: Shown) => ({
    ...{ type, createdAt, createdBy, featureName, project: name(project), environment: name(environment) },
  });
  const theirs = await eventsOf(source);
  const ours = await eventsOf(target, true);
  const idThere = ({ data, preData }: Shown) =>
    (data as Shown | null)?.importedEvent ?? (preData as Shown | null)?.importedEvent;
  return [
    new Map(theirs.map((event) => [String(event.id), viewOf(event)])),
    new Map(
      ours.flatMap((event) => (idThere(event) === undefined ? [] : [[String(idThere(event)), viewOf(event)] as const])),
    ),
  ];
}

/** All events of a server. A target looks back on 20,000 changes at a time: those before are asked for by an earlier end. */
async function eventsOf(server: Address, isTarget = false): Promise<Shown[]> {
  const found = new Map<unknown, Shown>();
  for (let to = ''; ; ) {
    const known = found.size;
    for (let offset = 0; ; ) {
      const page = await asked(server, get(`/api/admin/search/events?limit=${eventPage}&offset=${offset}${to}`));
      const { events, total } = page as { events: Shown[]; total: number };
      for (const event of events) found.set(event.id, event);
      offset += events.length;
      if (events.length === 0 || offset >= total) break;
    }
    const [oldest] = [...found.values()].map(({ createdAt }) => String(createdAt)).toSorted();
    if (!isTarget || found.size === known) return [...found.values()];
    to = `&to=IS:${oldest}`;
  }
}

/** Returns the parts of an export, each as texts. Strategies have their ids, so that a lost one shows. */
async function exportOf({ url, token }: Address, environment: string): Promise<Map<string, Things>> {
  const file: Export = await fetchExport({ service: new URL(url), token }, { environment });
  return new Map(
    Object.entries(file).map(([part, things]) => [
      part,
      new Map(
        things.map((thing) => {
          const identity = [thing.id ?? '', thing.name ?? '', thing.featureName ?? '', thing.feature ?? ''].join(' ');
          return [part === 'featureTags' ? orderedJson(thing) : identity, part === 'links' ? withoutIds(thing) : thing];
        }),
      ),
    ]),
  );
}

/** The links of a feature without their ids, which only exports of Unleash name. */
function withoutIds({ links, ...thing }: Shown): Shown {
  return { ...thing, links: (links as Shown[]).map(({ id: _id, ...link }) => link) };
}

/** Names that say nothing of a thing: a server's own, or those that only one of them answers. */
const volatile = new Set(['lastSeenAt', 'usedInFeatures', 'usedInProjects', 'projectCount']);

/** Leaves out what is empty, at any depth: servers differ in what they leave out, and in what they name as null. */
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(
    entries.filter(
      ([name, member]) =>
        // An empty text, an empty list, and no.
        !volatile.has(name) && member !== null && member !== undefined && member !== false && String(member) !== '',
    ),
  );
}

function sorted(tags: unknown): unknown {
  return Array.isArray(tags) ? tags.toSorted((a, b) => (`${a.type} ${a.value}` < `${b.type} ${b.value}` ? -1 : 1)) : [];
}
