import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { makeSecret } from '../../lib/identity/tokens/token.ts';
import { startDynamoDbServer } from '../harness/dynamodb-server.ts';
import { randomFrom } from '../harness/random.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { amountOption, secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { Admin } from './push/admin.ts';
import { type Client, type ClientCounts, PollingClient, StreamClient } from './push/clients.ts';
import { copyFiles, Servers } from './push/servers.ts';
import { projectIds, Writer } from './push/writer.ts';

const help = `Proves that clients that get changes never go back, miss no change, and see nothing of another project. Writers change flags
and segments. Clients with streams, and clients that poll for changes, move from server to server with the state that they
have, while servers are killed and stopped. At rest, each client has the state that a full answer has. First two servers share
a file, which is restored to an earlier copy at the end. Then two relays serve a store that a full server writes to.
Ends with PASS, or with FAIL and 1 when a promise breaks.

  npm run prove:push -- [OPTIONS]

  --quick         two rounds of each instead of ten, which takes a minute
  --rounds 20     twenty rounds of each
  --seed 42       the same random choices again; their order in time may differ
  -h, --help      this text`;

const options = { ...usualOptions, rounds: { type: 'string' } } as const;

const roundMs = 5_000;
const writersCount = 3;
const clientsPerScope = 3;
/** All clients must have the last change within this time. */
const restMs = 5_000;
/** Streams end within five seconds. Their clients then ask once more, and are refused. */
const revocationMs = 6_000;

/** The flags that a token may see. */
interface Scope {
  readonly projects: readonly string[];
  readonly environment: string;
}

const scopes: readonly Scope[] = [
  { projects: ['alpha'], environment: 'development' },
  { projects: ['beta'], environment: 'production' },
  { projects: ['*'], environment: 'development' },
];

/** The clients of a scope, and the state that they should have. */
class Audience {
  readonly clients: readonly Client[];
  readonly secret: string;

  constructor(secret: string, scope: Scope, servers: Servers, random: () => number) {
    const visible = scope.projects.includes('*') ? ['default', ...projectIds] : scope.projects;
    const options = { servers, secret, projects: visible, random };
    this.secret = secret;
    this.clients = [
      ...Array.from({ length: clientsPerScope }, () => new StreamClient(options)),
      new PollingClient(options),
    ];
  }

  /** Reads the whole state from a server, as text. */
  async readState(url: string): Promise<string> {
    const headers = { authorization: this.secret, 'unleash-client-spec': '5.2.2' };
    const { features, segments = [] } = (await (await fetch(`${url}/api/client/features`, { headers })).json()) as {
      readonly features: readonly unknown[];
      readonly segments?: readonly unknown[];
    };
    return JSON.stringify({ features, segments });
  }
}

async function addAudience(admin: Admin, scope: Scope, servers: Servers, random: () => number): Promise<Audience> {
  const { body } = await admin.ask('POST', '/api/admin/api-tokens', { tokenName: 'client', type: 'client', ...scope });
  return new Audience((body as { readonly secret: string }).secret, scope, servers, random);
}

/** Proves everything of servers with one kind of store. */
async function proveServers(title: string, servers: Servers, plan: ProofPlan): Promise<Promises> {
  const promises = new Promises(title);
  const { random, rounds, admin } = plan;
  for (const id of projectIds)
    await admin.ask('POST', '/api/admin/projects', { id, name: id, environments: ['development', 'production'] });
  const audiences: Audience[] = [];
  for (const scope of scopes) audiences.push(await addAudience(admin, scope, servers, random));
  const clients = audiences.flatMap((audience) => audience.clients);
  const writers = Array.from({ length: writersCount }, (_, id) => new Writer(admin, random, id));
  for (const client of clients) client.start();
  const proveRest = async (when: string) => {
    for (const audience of audiences) {
      for (const [index, { view }] of audience.clients.entries()) {
        const isRight = async () => view.toText() === (await audience.readState(servers.any().url));
        await promises.within(
          restMs,
          `${when}: client ${index} of ${audience.secret.split('.')[0]} has everything`,
          isRight,
        );
      }
    }
  };
  for (let round = 0; round < rounds; round += 1) {
    const until = performance.now() + roundMs;
    const write = async (writer: Writer) => {
      while (performance.now() < until) await writer.change();
    };
    const kill = async () => {
      await sleep(roundMs * 0.2 + random() * roundMs * 0.4);
      await servers.replace(random() < 0.6 ? 'SIGKILL' : 'SIGTERM');
    };
    await Promise.all([...writers.map(write), kill()]);
    await proveRest(`round ${round + 1}`);
  }
  await plan.afterRounds?.(clients, proveRest);
  await proveRevocation(promises, admin, audiences[0] as Audience);
  await Promise.all(clients.map((client) => client.stop()));
  const problems = clients.flatMap(({ view }) => view.problems);
  promises.hold('nobody goes back or sees another project', problems.length === 0, problems.slice(0, 5));
  const changes = writers.reduce((sum, writer) => sum + writer.changes, 0);
  console.log(`${title}: ${changes} changes, ${servers.kills} servers ended; ${describeClients(clients)}`);
  return promises;
}

/** Proves that the streams of a deleted token end, and that it opens no others. */
async function proveRevocation(promises: Promises, admin: Admin, { secret, clients }: Audience): Promise<void> {
  await admin.ask('DELETE', `/api/admin/api-tokens/${encodeURIComponent(secret)}`);
  const areRefused = () => clients.every(({ refusal }) => refusal === 401);
  await promises.within(revocationMs, 'all clients of a deleted token are refused', areRefused);
}

function describeClients(clients: readonly Client[]): string {
  const sum = (key: keyof ClientCounts) => clients.reduce((total, { counts }) => total + counts[key], 0);
  return `${clients.length} clients connected ${sum('connects')} times, got changes ${sum('continued')} times and everything ${sum('hydrated')} times at first, and then ${sum('updates')} updates`;
}

interface ProofPlan {
  readonly random: () => number;
  readonly rounds: number;
  /** Writes to a full server, since relays only read. */
  readonly admin: Admin;
  readonly afterRounds?: (clients: readonly Client[], proveRest: (when: string) => Promise<void>) => Promise<void>;
}

/** Proves two servers that share a file, which is restored to an earlier copy at the end. */
async function proveOneMachine(random: () => number, rounds: number): Promise<Promises> {
  using folder = temporaryFolder();
  using copy = temporaryFolder();
  const token = makeSecret('admin');
  await using servers = new Servers({ DATA_DIR: folder.path, INIT_ADMIN_API_TOKENS: token }, random);
  await servers.start();
  await servers.start();
  const admin = new Admin(servers, token);
  return await proveServers('two servers on one file', servers, {
    ...{ random, rounds, admin },
    afterRounds: async (clients, proveRest) => {
      await servers.whileStopped(() => copyFiles(folder.path, copy.path));
      const writer = new Writer(admin, random, writersCount);
      for (let change = 0; change < 20; change += 1) await writer.change();
      await proveRest('after a copy');
      for (const { view } of clients) view.allowEarlier();
      await servers.whileStopped(() => copyFiles(copy.path, folder.path));
      await proveRest('after a restore');
    },
  });
}

/** Proves two relays on a store that a full server writes to. */
async function proveRelays(random: () => number, rounds: number): Promise<Promises> {
  const store = await startDynamoDbServer({ file: undefined });
  try {
    const token = makeSecret('admin');
    const place = { DYNAMODB_ENDPOINT: store.endpoint, AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' };
    await using full = new Servers({ ...place, INIT_ADMIN_API_TOKENS: token }, random);
    await full.start();
    await using relays = new Servers({ ...place, RELAY: 'true', INIT_ADMIN_API_TOKENS: '' }, random);
    await relays.start();
    await relays.start();
    return await proveServers('two relays', relays, { random, rounds, admin: new Admin(full, token) });
  } finally {
    await store.stop();
  }
}

async function prove({ values }: CommandLine<typeof options>): Promise<Verdict> {
  const start = performance.now();
  const seed = seedIn(values);
  const rounds = amountOption(values, 'rounds', [2, 10]);
  console.log(`Seed ${seed}: repeat with npm run prove:push -- --seed ${seed} --rounds ${rounds}`);
  const random = randomFrom(seed);
  const all = [await proveOneMachine(random, rounds), await proveRelays(random, rounds)];
  const promised = all.reduce((sum, { count }) => sum + count, 0);
  const broken = all.flatMap((promises) => promises.broken);
  return verdictOn(broken, `${promised} promises, ${broken.length} broken, in ${secondsSince(start)}; --seed ${seed}.`);
}

await runCommand({ name: 'prove:push', help, options, run: prove });
