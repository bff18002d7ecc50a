import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listening } from '../../harness/listening.ts';
import { atMost, type BarVerdict, deliveryMax } from './bars.ts';
import { post } from './call.ts';
import { startMeasuredServer } from './local-server.ts';
import { freshNames } from './names.ts';
import type { MeasuredServer } from './server.ts';
import { percentile } from './statistics.ts';

/** The pause from one change to the next, and the longest wait for the last webhook. */
const pauseMs = 20;
const patienceMs = 30_000;

/**
 * Measures the time from the answer to a change until its webhook has arrived, on a server of its own: alone, and beside an
 * integration whose receiver never answers.
 * @param changes number of them in each half.
 */
export async function measureDeliveries(changes: number): Promise<BarVerdict[]> {
  await using receiver = await startReceiver();
  await using local = await startMeasuredServer({
    store: 'memory',
    environment: { INTEGRATION_ALLOWED_HOSTS: '127.0.0.1' },
  });
  const { server } = local;
  await addWebhook(server, `${receiver.url}/takes`);
  const alone = await timesOf(server, receiver, changes);
  await addWebhook(server, `${receiver.url}/hangs`);
  const beside = await timesOf(server, receiver, changes);
  return [
    atMost(percentile(alone, 0.5), deliveryMax.p50Ms, 'p50', ' ms'),
    atMost(percentile(alone, 0.99), deliveryMax.p99Ms, 'p99', ' ms'),
    atMost(percentile(beside, 0.99), deliveryMax.p99Ms, 'p99 beside a receiver that hangs', ' ms'),
    atMost(Math.max(...beside), deliveryMax.besideMs, 'longest beside it', ' ms'),
  ];
}

async function addWebhook(server: MeasuredServer, url: string): Promise<void> {
  const body = { provider: 'webhook', enabled: true, parameters: { url }, events: ['feature-created'] };
  await server.send(post('/api/admin/addons', body));
}

interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** The times at which features have arrived. */
  readonly arrivals: ReadonlyMap<string, number>;
}

/** Starts a receiver that takes webhooks, and never answers under `/hangs`. */
async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const receiver = await listening(async (incoming, outgoing) => {
    const at = performance.now();
    const { featureName } = (await json(incoming)) as { readonly featureName: string };
    if (incoming.url === '/hangs') return;
    arrivals.set(featureName, at);
    outgoing.end();
  });
  return { ...receiver, arrivals };
}

/** Returns the milliseconds that each change took; infinitely many for one that did not arrive. */
async function timesOf(server: MeasuredServer, { arrivals }: Receiver, changes: number): Promise<number[]> {
  const answered = new Map<string, number>();
  for (const name of freshNames(changes)) {
    await server.send(post('/api/admin/projects/default/features', { name, type: 'release' }));
    answered.set(name, performance.now());
    await sleep(pauseMs);
  }
  const until = performance.now() + patienceMs;
  const isComplete = () => [...answered.keys()].every((name) => arrivals.has(name));
  while (!isComplete() && performance.now() < until) await sleep(100);
  return [...answered].map(([name, at]) => (arrivals.get(name) ?? Number.POSITIVE_INFINITY) - at);
}
