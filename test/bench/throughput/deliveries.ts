import { setTimeout as sleep } from 'node:timers/promises';
import { chunksOf } from '../../../lib/values/lists.ts';
import { post } from '../../harness/http-call.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { atLeast, atMost, type BarVerdict, deliveriesPerSecondMin, deliveryMax } from './bars.ts';
import { startMeasuredServer } from './local-server.ts';
import { freshNames } from './names.ts';
import type { MeasuredServer } from './server.ts';
import { percentile } from './statistics.ts';

/** The pause from one change to the next, and the longest wait for the last webhook. */
const pauseMs = 20;
const patienceMs = 30_000;
const archivedAtOnce = 100;

/**
 * Measures the time from the answer to a change until its webhook has arrived, on a server of its own: alone, and beside an
 * integration whose receiver never answers. Between these, it measures how many arrive in a second where many features are
 * changed at once.
 * @param changes number of them in each half.
 */
export async function measureDeliveries(changes: number): Promise<BarVerdict[]> {
  await using receiver = await Receiver.start();
  receiver.answer = ({ path }) => (path === '/hangs' ? undefined : { status: 200 });
  await using local = await startMeasuredServer({
    store: 'memory',
    environment: { INTEGRATION_ALLOWED_HOSTS: '127.0.0.1' },
  });
  const { server } = local;
  await addWebhook(server, `${receiver.url}/takes`);
  const features = freshNames(changes);
  const alone = await timesOf(server, receiver, features);
  const perSecond = await rateOf(server, receiver, features);
  await addWebhook(server, `${receiver.url}/hangs`);
  const beside = await timesOf(server, receiver, freshNames(changes));
  return [
    atMost(percentile(alone, 0.5), deliveryMax.p50Ms, 'p50', ' ms'),
    atMost(percentile(alone, 0.99), deliveryMax.p99Ms, 'p99', ' ms'),
    atLeast(perSecond, deliveriesPerSecondMin, 'of many at once', ' a second'),
    atMost(percentile(beside, 0.99), deliveryMax.p99Ms, 'p99 beside a receiver that hangs', ' ms'),
    atMost(Math.max(...beside), deliveryMax.besideMs, 'longest beside it', ' ms'),
  ];
}

async function addWebhook(server: MeasuredServer, url: string): Promise<void> {
  const body = {
    provider: 'webhook',
    enabled: true,
    parameters: { url },
    events: ['feature-created', 'feature-archived'],
  };
  await server.send(post('/api/admin/addons', body));
}

/** Returns the milliseconds that each change took; infinitely many for one that did not arrive. */
async function timesOf(server: MeasuredServer, receiver: Receiver, names: readonly string[]): Promise<number[]> {
  const answered = new Map<string, number>();
  for (const name of names) {
    await server.send(post('/api/admin/projects/default/features', { name, type: 'release' }));
    answered.set(name, Date.now());
    await sleep(pauseMs);
  }
  const until = performance.now() + patienceMs;
  const arrivals = () => {
    const taken = receiver.received.filter(({ path }) => path !== '/hangs');
    return new Map(taken.map(({ at, body }) => [JSON.parse(body).featureName as string, at]));
  };
  while (!new Set(answered.keys()).isSubsetOf(arrivals()) && performance.now() < until) await sleep(100);
  const arrived = arrivals();
  return [...answered].map(([name, at]) => (arrived.get(name) ?? Number.POSITIVE_INFINITY) - at);
}

/** Returns the number of webhooks that arrive in a second when all features are archived at once. */
async function rateOf(server: MeasuredServer, receiver: Receiver, names: readonly string[]): Promise<number> {
  const before = receiver.received.length;
  for (const features of chunksOf(names, archivedAtOnce)) {
    await server.send(post('/api/admin/projects/default/archive', { features }));
  }
  const until = performance.now() + patienceMs;
  while (receiver.received.length < before + names.length && performance.now() < until) await sleep(100);
  const times = receiver.received.slice(before).map(({ at }) => at);
  return ((times.length - 1) * 1_000) / (Math.max(...times) - Math.min(...times));
}
