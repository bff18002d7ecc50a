import { setTimeout as sleep } from 'node:timers/promises';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { createRequest } from '../../../lib/request.ts';
import { openStore } from '../../../lib/store/client/open-store.ts';
import { type Address, get, post, put, send } from '../../harness/http-call.ts';
import { contentOf } from '../../harness/items.ts';
import { type LocalProcess, startLocalProcess } from '../../harness/local-process.ts';
import { randomFrom } from '../../harness/random.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { problemsOf } from '../../invariants/problems.ts';
import { secondsSince } from '../options.ts';
import { Promises } from '../promises.ts';
import { type DirectoryGroup, type DirectoryPerson, Provider } from './provider.ts';

/** The size of a sync. */
export interface SyncAmounts {
  readonly people: number;
  readonly groups: number;
  /** Members of each group. */
  readonly members: number;
  /** The times that the server is killed meanwhile, and started again. */
  readonly kills: number;
}

/** Requests that the directory has under way at a time. */
const senders = 4;
/** The most time between the moment that is chosen for a kill and the kill, so that it hits requests anywhere. */
const delayMs = 500;
/** People who are here before the sync, with roles. */
const editorCount = 20;
/** Admins who are here before it, besides the first one. The directory deactivates all of them in the end. */
const adminCount = 5;
const editorRole = 2;
const ownerRole = 4;
const adminRole = 1;

/**
 * Has a simulated directory sync people and groups with the real server, which is killed meanwhile, and judges what is there in the end.
 * @returns the broken promises, and a line about what happened.
 */
export async function proveSync(amounts: SyncAmounts, seed: number) {
  const start = performance.now();
  using folder = temporaryFolder();
  await using server = await MortalServer.start(folder.path, randomFrom(seed));
  const wanted = buildDirectory(amounts);
  const before = await prepare(server.address, wanted);
  const { token } = (await send(server.address, post('/api/admin/scim-settings/generate-new-token', {}))) as {
    token: string;
  };
  await send(server.address, post('/api/admin/scim-settings', { enabled: true }));
  const provider = new Provider(() => ({ url: server.address.url, token }));

  const kills = Math.ceil(amounts.kills / 2);
  const peopleStart = performance.now();
  await server.work(
    wanted.people.map((person) => () => provider.person(person)),
    kills,
  );
  const peopleTime = secondsSince(peopleStart);
  console.log(`${amounts.people} people in ${peopleTime}, with ${server.kills} kills.`);
  const groupsStart = performance.now();
  await server.work(
    wanted.groups.map((group, index) => () => provider.group(group, index % 2 === 0 ? 'Okta' : 'Entra ID')),
    amounts.kills - kills,
  );
  const groupsTime = secondsSince(groupsStart);
  console.log(`${amounts.groups} groups in ${groupsTime}, with ${server.kills} kills in all.`);
  const after = changeDirectory(wanted);
  await server.work(after.changes(provider), 0);
  const refusals = await Promise.all(wanted.admins.map((name) => provider.deactivate(name)));

  const promises = new Promises('the sync');
  promises.same('the last Admin stays', refusals.filter((status) => status === 400).length, 1);
  await judge(promises, server, provider, { ...after, admins: wanted.admins, before });
  const { requests, interruptions } = provider;
  return {
    broken: promises.broken,
    words:
      `Synced ${amounts.people} people in ${peopleTime} and ${amounts.groups} groups of ${amounts.members} in ${groupsTime} with ` +
      `${requests} requests, ${server.kills} kills and ${interruptions} interrupted requests; ${promises.count} promises ` +
      `judged, ${secondsSince(start)} in all.`,
  };
}

/** The real server on one store. It can be killed, and then starts again. */
class MortalServer implements AsyncDisposable {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #token: string;
  readonly #random: () => number;
  #process: LocalProcess;
  kills = 0;

  private constructor(process: LocalProcess, environment: NodeJS.ProcessEnv, token: string, random: () => number) {
    this.#process = process;
    this.#environment = environment;
    this.#token = token;
    this.#random = random;
  }

  static async start(directory: string, random: () => number): Promise<MortalServer> {
    const token = makeSecret('admin');
    const environment = { DATA_DIR: directory, INIT_ADMIN_API_TOKENS: token };
    return new MortalServer(await startLocalProcess({ store: 'memory', environment }), environment, token, random);
  }

  /** The address at the moment, for an admin. */
  get address(): Address {
    return { url: this.#process.url, token: this.#token };
  }

  get storeEndpoint(): string {
    return this.#process.storeEndpoint;
  }

  /** Does jobs, several at a time, and kills the server at moments that are spread over them. */
  async work(jobs: readonly (() => Promise<unknown>)[], kills: number): Promise<void> {
    let done = 0;
    let hasFailed = false;
    const queue = jobs.values();
    const send = async () => {
      for (const job of queue) {
        await job();
        done += 1;
      }
    };
    const working = Promise.all(Array.from({ length: senders }, send));
    working.catch(() => {
      hasFailed = true;
    });
    for (let kill = 1; kill <= kills; kill += 1) {
      while (!hasFailed && done < (jobs.length * kill) / (kills + 1)) await sleep(5);
      await sleep(this.#random() * delayMs);
      await this.#kill();
    }
    await working;
  }

  async #kill(): Promise<void> {
    process.kill(this.#process.pid, 'SIGKILL');
    await this.#process[Symbol.asyncDispose]();
    this.#process = await startLocalProcess({ store: 'memory', environment: this.#environment });
    this.kills += 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}

/** Builds the directory as it is at first. */
function buildDirectory({ people, groups, members }: SyncAmounts) {
  const personOf = (userName: string, index: number): DirectoryPerson => ({
    ...{ userName, externalId: `id-${index}`, displayName: `Person ${index}`, active: true },
  });
  const admins = [
    'admin@example.com',
    ...Array.from({ length: adminCount }, (_, index) => `admin-${index}@example.com`),
  ];
  const names = [
    ...admins,
    ...Array.from({ length: people - admins.length }, (_, index) => `person-${index}@example.com`),
  ];
  return {
    admins,
    people: names.map(personOf),
    groups: Array.from(
      { length: groups },
      (_, group): DirectoryGroup => ({
        displayName: `team-${group}`,
        externalId: `group-${group}`,
        // Neighbours overlap, and each person is in several groups.
        members: Array.from({ length: members }, (_, index) => names[(group * 47 + index) % names.length] as string),
      }),
    ),
  };
}

type Directory = ReturnType<typeof buildDirectory>;

/** Returns the directory after further changes, and the jobs that send them. */
function changeDirectory({ people, groups }: Directory) {
  const changed = people.map((person, index): DirectoryPerson => {
    if (index % 50 === 20) return { ...person, displayName: `${person.displayName} the second` };
    return index % 50 === 30 ? { ...person, active: false } : person;
  });
  const shrunk = groups.map((group, index) =>
    index % 2 === 0 ? { ...group, members: group.members.slice(Math.ceil(group.members.length / 10)) } : group,
  );
  return {
    people: changed,
    groups: shrunk,
    changes: (provider: Provider) => [
      ...changed.filter((person, index) => person !== people[index]).map((person) => () => provider.person(person)),
      ...shrunk.filter((group, index) => group !== groups[index]).map((group) => () => provider.group(group, 'Okta')),
    ],
  };
}

/** Creates people and groups who are here before the sync, with roles. */
async function prepare(server: Address, { admins, people }: Directory) {
  const create = async (email: string, rootRole: number) =>
    ((await send(server, post('/api/admin/user-admin', { email, rootRole, sendEmail: false }))) as { id: number }).id;
  // The first Admin of the service. An Admin is linked by their address only.
  await send(server, put('/api/admin/user-admin/1', { email: admins[0] }));
  for (const email of admins.slice(1)) await create(email, adminRole);
  const editors = people.slice(admins.length, admins.length + editorCount).map(({ userName }) => userName);
  for (const email of editors) {
    const id = await create(email, editorRole);
    await send(server, put(`/api/admin/projects/default/users/${id}/roles`, { roles: [ownerRole] }));
  }
  const guest = await create('guest@elsewhere.example', editorRole);
  const users = [{ user: { id: guest } }];
  await send(
    server,
    post('/api/admin/groups', { name: 'team-0', rootRole: editorRole, mappingsSSO: ['team-0'], users }),
  );
  await send(server, post('/api/admin/groups', { name: 'Our own', rootRole: editorRole, mappingsSSO: ['team-1'] }));
  return { editors, guest };
}

interface Expected {
  readonly people: readonly DirectoryPerson[];
  readonly groups: readonly DirectoryGroup[];
  readonly admins: readonly string[];
  readonly before: Awaited<ReturnType<typeof prepare>>;
}

interface ShownPerson {
  readonly id: number;
  readonly email?: string;
  readonly name?: string;
  readonly rootRole: number;
  readonly scimId: string | null;
  readonly deactivated?: true;
}

interface ShownTeam {
  readonly id: number;
  readonly name: string;
  readonly rootRole: number | null;
  readonly scimId: string | null;
  readonly users: readonly { readonly user: { readonly id: number } }[];
}

/** Compares the content of the service with that of the directory. */
async function judge(promises: Promises, server: MortalServer, provider: Provider, expected: Expected) {
  const { address } = server;
  const { people, groups, admins, before } = expected;
  const { users } = (await send(address, get('/api/admin/user-admin'))) as { users: ShownPerson[] };
  const nameOf = ({ email = '' }: ShownPerson) => email;
  const byName = new Map(users.map((user) => [nameOf(user), user]));
  promises.same('nobody is there twice', byName.size, users.length);
  promises.same('nobody else is there', users.length, people.length + 1);
  for (const { userName, displayName, active } of people) {
    const { name, scimId = null, deactivated } = byName.get(userName) ?? {};
    promises.hold(`${userName} is managed`, scimId !== null);
    promises.same(`${userName} has their name`, name, displayName);
    if (!admins.includes(userName)) promises.same(`${userName} is active or not`, deactivated === undefined, active);
  }
  const isActiveAdmin = ({ rootRole, deactivated }: ShownPerson) => rootRole === adminRole && !deactivated;
  promises.same('one Admin is active', users.filter(isActiveAdmin).length, 1);
  const access = (await send(address, get('/api/admin/projects/default/access'))) as {
    users: { id: number; roles: number[] }[];
  };
  for (const editor of before.editors) {
    const { id, rootRole } = byName.get(editor) ?? {};
    promises.same(`${editor} has the role from before`, rootRole, editorRole);
    const { roles } = access.users.find((user) => user.id === id) ?? {};
    promises.same(`${editor} has the role in the project`, roles, [ownerRole]);
  }

  const { groups: shown } = (await send(address, get('/api/admin/groups'))) as { groups: ShownTeam[] };
  promises.same('no group is there twice', shown.length, groups.length);
  const idOf = (name: string) => byName.get(name)?.id ?? 0;
  for (const { displayName, members } of groups) {
    const listed = shown.find(({ name }) => name === (displayName === 'team-1' ? 'Our own' : displayName));
    // The members of all groups may be too many for the list.
    const group = listed && ((await send(address, get(`/api/admin/groups/${listed.id}`))) as ShownTeam);
    const guests = displayName === 'team-0' ? [before.guest] : [];
    const wanted = [...new Set([...members.map(idOf), ...guests])].toSorted((a, b) => a - b);
    const present = (group?.users ?? []).map(({ user }) => user.id).toSorted((a, b) => a - b);
    promises.hold(`${displayName} has its members`, JSON.stringify(present) === JSON.stringify(wanted), {
      missing: wanted.filter((id) => !present.includes(id)).length,
      tooMany: present.filter((id) => !wanted.includes(id)).length,
    });
    if (guests.length > 0) promises.same(`${displayName} has the role from before`, group?.rootRole, editorRole);
  }
  const [listedPeople, listedGroups] = [await provider.list('/Users'), await provider.list('/Groups')];
  const namesOf = (all: readonly { userName: string }[]) => all.map(({ userName }) => userName).toSorted();
  promises.same('the directory sees its people', namesOf(listedPeople), namesOf(people));
  promises.same('the directory sees its groups', listedGroups.length, groups.length);
  const table = createRequest(openStore({ name: 'flagstaff', endpoint: server.storeEndpoint }));
  const problems = problemsOf(await contentOf(table));
  promises.same('the store has no contradictions', problems.slice(0, 5), []);
}
