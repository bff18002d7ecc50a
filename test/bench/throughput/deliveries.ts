import { setTimeout as sleep } from 'node:timers/promises';
import { post } from '../../harness/http-call.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { atMost, type BarVerdict, deliveryMax } from './bars.ts';
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
  await using receiver = await Receiver.start();
  receiver.answer = ({ path }) => (path === '/hangs' ? undefined : { status: 200 });
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

/** Returns the milliseconds that each change took; infinitely many for one that did not arrive. */
async function timesOf(server: MeasuredServer, receiver: Receiver, changes: number): Promise<number[]> {
  const answered = new Map<string, number>();
  for (const name of freshNames(changes)) {
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
