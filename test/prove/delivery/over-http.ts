import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Webhook } from 'standardwebhooks';
import type { Event } from '../../../lib/events/event-schema.ts';
import { paths } from '../../harness/features.ts';
import { get, post, put, send } from '../../harness/http-call.ts';
import { type LocalProcess, startLocalProcess } from '../../harness/local-process.ts';
import { randomFrom } from '../../harness/random.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import type { AtReceivers } from './receivers.ts';

const types: readonly string[] = [
  ...['feature-updated', 'feature-environment-enabled', 'feature-environment-disabled', 'feature-strategy-add'],
];
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** The webhooks, by the path that each has at the receiver, with what each is about. */
const webhooks: Readonly<Record<string, { readonly filter: object; readonly isAbout: (event: Event) => boolean }>> = {
  '/all': { filter: {}, isAbout: () => true },
  '/production': {
    filter: { events: types.slice(1, 4), environments: ['production'] },
    isAbout: ({ type, environment }) => /environment|strategy/.test(type) && environment === 'production',
  },
  '/other': { filter: { projects: ['other'] }, isAbout: ({ project }) => project === 'other' },
};

const writers = 16;
const featureCount = 200;
/** A share of the requests that the receiver turns away once. */
const busyShare = 0.01;
/** Ten queues of each webhook may be under way. */
const doublesAKill = 10 * 3;
const patienceMs = 300_000;

export interface OverHttp {
  readonly changes: number;
  /** The times that the server is killed meanwhile, and started again. */
  readonly kills: number;
  readonly seed: number;
}

/**
 * Has the real server send what sixteen writers do to three webhooks with different filters, while it is killed now and then:
 * each gets the events of the log that it is about, as the log has them and signed, each feature's in order, and an event
 * twice only where the server died.
 */
export async function sendOverHttp({ changes, kills, seed }: OverHttp): Promise<AtReceivers> {
  using folder = temporaryFolder();
  await using receiver = await Receiver.start();
  const random = randomFrom(seed);
  const taken: Taken[] = [];
  receiver.answer = ({ path, headers, body }) => {
    if (random() < busyShare) return { status: 503 };
    new Webhook(secret).verify(body, headers as Record<string, string>);
    taken.push({ path, event: JSON.parse(body) });
    return { status: 200 };
  };
  const environment = { DATA_DIR: folder.path, INTEGRATION_ALLOWED_HOSTS: '127.0.0.1' };
  let server = await startLocalProcess({ store: 'file', environment });
  try {
    const features = await prepare(server, receiver.url);
    let left = changes;
    const write = async (own: readonly string[]) => {
      while (left > 0) {
        left -= 1;
        await change(() => server, own[Math.floor(random() * own.length)] ?? '', random);
      }
    };
    const shares = Map.groupBy(features, (_feature, index) => index % writers);
    const writing = Promise.all([...shares.values()].map(write));
    writing.catch(() => {
      left = 0;
    });
    for (let kill = 1; kill <= kills; kill += 1) {
      while (left > changes * (1 - kill / (kills + 1))) await sleep(20);
      process.kill(server.pid, 'SIGKILL');
      await server[Symbol.asyncDispose]();
      server = await startLocalProcess({ store: 'file', environment });
    }
    await writing;
    const events = await eventsOf(server);
    const wanted = Object.entries(webhooks).flatMap(([path, { isAbout }]) =>
      events.filter(isAbout).map((event): Taken => ({ path, event })),
    );
    const endsAt = performance.now() + patienceMs;
    while (new Set(taken.map(nameOf)).size < wanted.length && performance.now() < endsAt) await sleep(500);
    return judged(wanted, taken, kills);
  } finally {
    await server[Symbol.asyncDispose]();
  }
}

/** An event at a webhook. */
interface Taken {
  readonly path: string;
  readonly event: Event;
}

const nameOf = ({ path, event }: Taken) => `${path} ${event.id}`;

/** Makes the features, half of them in another project, and then the webhooks. @returns the paths of the features. */
async function prepare(server: LocalProcess, receiver: string): Promise<string[]> {
  await send(server, post('/api/admin/projects', { id: 'other', name: 'Other' }));
  const names = Array.from({ length: featureCount }, (_, index) => `feature-${index}`);
  const projectOf = (index: number) => (index % 2 === 0 ? 'default' : 'other');
  for (const [index, name] of names.entries()) {
    await send(server, post(`/api/admin/projects/${projectOf(index)}/features`, { name }));
  }
  for (const [path, { filter }] of Object.entries(webhooks)) {
    const parameters = { url: receiver + path, signingSecret: secret };
    const addon = { provider: 'webhook', enabled: true, events: types, parameters, ...filter };
    await send(server, post('/api/admin/addons', addon));
  }
  return names.map((name, index) => paths.feature(name, projectOf(index)));
}

/**
 * Makes a change, again and again where the server is away. One that was made before it went may be made twice.
 * @throws Error for one that is refused: it would be each time.
 */
async function change(server: () => LocalProcess, feature: string, random: () => number): Promise<void> {
  const environment = `${feature}/environments/${random() < 0.5 ? 'production' : 'development'}`;
  const parameters = { rollout: '50', stickiness: 'default', groupId: 'g' };
  const calls = [
    put(feature, { description: `The ${random()}th of its kind` }),
    post(`${environment}/on`, {}),
    post(`${environment}/off`, {}),
    post(`${environment}/strategies`, { name: 'flexibleRollout', parameters }),
  ] as const;
  // Few of them add a strategy: a feature has at most 30 in an environment.
  const call = calls[Math.min(Math.floor(random() * 3.2), 3)] ?? calls[0];
  const isDone = () =>
    send(server(), call).then(
      () => true,
      (error: Error) => {
        if (/ was answered 4\d\d: /.test(error.message)) throw error;
        return false;
      },
    );
  while (!(await isDone())) await sleep(100);
}

type Found = Event & { readonly label: string; readonly summary: string };

/** Reads the whole log, of the types that the webhooks are about, in order. */
async function eventsOf(server: LocalProcess): Promise<Event[]> {
  const found: Found[] = [];
  for (let page: Found[] = []; found.length === 0 || page.length > 0; found.push(...page)) {
    const listed = await send(server, get(`/api/admin/search/events?limit=1000&offset=${found.length}`));
    page = (listed as { events: Found[] }).events;
  }
  const ours = found.filter(({ type }) => types.includes(type)).toReversed();
  // The log has words for people besides.
  return ours.map(({ label: _label, summary: _summary, ...event }) => event);
}

function judged(wanted: readonly Taken[], taken: readonly Taken[], kills: number): AtReceivers {
  const first = new Map(taken.toReversed().map((each) => [nameOf(each), each]));
  const known = new Map(wanted.map((each) => [nameOf(each), each]));
  const missing = wanted.filter((each) => !first.has(nameOf(each))).length;
  const unknown = [...first.keys()].filter((name) => !known.has(name)).length;
  const other = taken.filter((each) => !isDeepStrictEqual(each.event, known.get(nameOf(each))?.event)).length - unknown;
  const queues = Map.groupBy([...first.values()].toReversed(), ({ path, event }) => `${path} ${event.featureName}`);
  const inversions = [...queues.values()].flatMap((queue) =>
    queue.filter(({ event }, index) => event.id < (queue[index - 1]?.event.id ?? 0)),
  ).length;
  const doubles = taken.length - first.size;
  return {
    passed: wanted.length > 0 && missing + unknown + other + inversions === 0 && doubles <= kills * doublesAKill,
    words: `Over HTTP, ${wanted.length} events at ${Object.keys(webhooks).length} webhooks, ${kills} kills: ${missing} missing, ${unknown} unknown, ${other} other than in the log, ${inversions} out of order, ${doubles} twice.`,
  };
}
