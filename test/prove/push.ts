import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { makeSecret } from '../../lib/identity/tokens/token.ts';
import { startDynamoDbServer } from '../harness/dynamodb-server.ts';
import { randomFrom } from '../harness/random.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { amountOption, secondsSince, seedIn, usualOptions, verdictOn } from './options.ts';
import { Promises } from './promises.ts';
import { Admin } from './push/admin.ts';
import { type Client, type ClientTally, PollingClient, StreamClient } from './push/clients.ts';
import { copyFiles, Servers } from './push/servers.ts';
import { homes, Writer } from './push/writer.ts';

const help = `Proves that clients which are told of changes never go back, miss no change, and see nothing of another project. Writers change
flags and segments; clients with streams, and clients that poll for changes, move from server to server, each time with the
state that they have, while servers are killed and stopped. At rest, each has what a full answer says. Once two servers share
a file, which is then restored to an earlier copy; once two relays serve a store that a full server writes to.
Ends with PASS, or with FAIL and 1 when a promise breaks.

  npm run prove:push -- [OPTIONS]

  --quick         two rounds of each instead of ten, which takes a minute
  --rounds 20     so many rounds of each
  --seed 42       the same choices again; how they interleave is up to the machine
  -h, --help      this text`;

const options = { ...usualOptions, rounds: { type: 'string' } } as const;

const roundMs = 5_000;
const writersCount = 3;
const clientsPerScope = 3;
/** The time after which everybody must have the last change. */
const restMs = 5_000;
/** Streams end within five seconds, and their clients then ask once more. */
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

/** The clients of a scope, and a way to see what they should see. */
class Audience {
  readonly clients: readonly Client[];
  readonly secret: string;

  constructor(secret: string, scope: Scope, fleet: Servers, random: () => number) {
    const visible = scope.projects.includes('*') ? ['default', ...homes] : scope.projects;
    const options = { fleet, secret, projects: visible, random };
    this.secret = secret;
    this.clients = [
      ...Array.from({ length: clientsPerScope }, () => new StreamClient(options)),
      new PollingClient(options),
    ];
  }

  /** Returns the text of the state that a full answer shows. */
  async readTruth(url: string): Promise<string> {
    const headers = { authorization: this.secret, 'unleash-client-spec': '5.2.2' };
    const { features, segments = [] } = (await (await fetch(`${url}/api/client/features`, { headers })).json()) as {
      readonly features: readonly unknown[];
      readonly segments?: readonly unknown[];
    };
    return JSON.stringify({ features, segments });
  }
}

async function addAudience(admin: Admin, scope: Scope, fleet: Servers, random: () => number): Promise<Audience> {
  const { body } = await admin.ask('POST', '/api/admin/api-tokens', { tokenName: 'client', type: 'client', ...scope });
  return new Audience((body as { readonly secret: string }).secret, scope, fleet, random);
}

/** Proves everything of servers with one kind of store. */
async function proveServers(title: string, fleet: Servers, setting: Setting): Promise<Promises> {
  const promises = new Promises(title);
  const { random, rounds, writing } = setting;
  for (const id of homes)
    await writing.ask('POST', '/api/admin/projects', { id, name: id, environments: ['development', 'production'] });
  const audiences: Audience[] = [];
  for (const scope of scopes) audiences.push(await addAudience(writing, scope, fleet, random));
  const clients = audiences.flatMap((audience) => audience.clients);
  const writers = Array.from({ length: writersCount }, (_, id) => new Writer(writing, random, id));
  for (const client of clients) client.start();
  const rest = async (when: string) => {
    for (const audience of audiences) {
      for (const [index, { view }] of audience.clients.entries()) {
        const isRight = async () => view.toText() === (await audience.readTruth(fleet.any().url));
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
      await fleet.replace(random() < 0.6 ? 'SIGKILL' : 'SIGTERM');
    };
    await Promise.all([...writers.map(write), kill()]);
    await rest(`round ${round + 1}`);
  }
  await setting.afterRounds?.(clients, rest);
  await proveRevocation(promises, writing, audiences[0] as Audience);
  await Promise.all(clients.map((client) => client.stop()));
  const problems = clients.flatMap(({ view }) => view.problems);
  promises.hold('nobody goes back or sees another project', problems.length === 0, problems.slice(0, 5));
  const changes = writers.reduce((sum, writer) => sum + writer.changes, 0);
  console.log(`${title}: ${changes} changes, ${fleet.kills} servers ended; ${describeTally(clients)}`);
  return promises;
}

/** Proves that the streams of a deleted token end, and that it opens none anew. */
async function proveRevocation(promises: Promises, admin: Admin, { secret, clients }: Audience): Promise<void> {
  await admin.ask('DELETE', `/api/admin/api-tokens/${encodeURIComponent(secret)}`);
  const areRefused = () => clients.every(({ refusal }) => refusal === 401);
  await promises.within(revocationMs, 'all clients of a deleted token are refused', areRefused);
}

function describeTally(clients: readonly Client[]): string {
  const sum = (key: keyof ClientTally) => clients.reduce((total, { tally }) => total + tally[key], 0);
  return `${clients.length} clients connected ${sum('connects')} times, ${sum('continued')} where they were and ${sum('hydrated')} anew, and got ${sum('updates')} updates`;
}

interface Setting {
  readonly random: () => number;
  readonly rounds: number;
  /** Whoever writes; relays only serve. */
  readonly writing: Admin;
  readonly afterRounds?: (clients: readonly Client[], rest: (when: string) => Promise<void>) => Promise<void>;
}

/** Proves two servers that share a file, which is restored to an earlier copy at the end. */
async function proveOneMachine(random: () => number, rounds: number): Promise<Promises> {
  using folder = temporaryFolder();
  using copy = temporaryFolder();
  const token = makeSecret('admin');
  await using fleet = new Servers({ DATA_DIR: folder.path, INIT_ADMIN_API_TOKENS: token }, random);
  await fleet.start();
  await fleet.start();
  const writing = new Admin(fleet, token);
  return await proveServers('two servers on one file', fleet, {
    ...{ random, rounds, writing },
    afterRounds: async (clients, rest) => {
      await fleet.whileStopped(() => copyFiles(folder.path, copy.path));
      const writer = new Writer(writing, random, writersCount);
      for (let change = 0; change < 20; change += 1) await writer.change();
      await rest('after a copy');
      for (const { view } of clients) view.allowEarlier();
      await fleet.whileStopped(() => copyFiles(copy.path, folder.path));
      await rest('after a restore');
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
    return await proveServers('two relays', relays, { random, rounds, writing: new Admin(full, token) });
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
  const broken = all.flatMap((each) => each.broken);
  return verdictOn(broken, `${promised} promises, ${broken.length} broken, in ${secondsSince(start)}; --seed ${seed}.`);
}

await runCommand({ name: 'prove:push', help, options, run: prove });
