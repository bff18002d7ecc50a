import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { type LocalRuntime, startRuntime } from './local-runtime.ts';

const types = ['feature-created', 'feature-environment-enabled', 'feature-environment-disabled'];

async function receiverOf(): Promise<Receiver> {
  const receiver = await Receiver.start();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

const token = makeSecret('admin');

function start(DATA_DIR: string, more: Readonly<Record<string, string>> = {}): Promise<LocalRuntime> {
  return startRuntime({ DATA_DIR, INIT_ADMIN_API_TOKENS: token, INTEGRATION_ALLOWED_HOSTS: '127.0.0.1', ...more });
}

async function post({ ask }: LocalRuntime, path: string, body: object = {}): Promise<void> {
  const { ok, status } = await ask(path, token, body);
  if (!ok) throw new Error(`${path}: ${status}`);
}

const addWebhook = (server: LocalRuntime, url: string) =>
  post(server, '/api/admin/addons', { provider: 'webhook', enabled: true, parameters: { url }, events: types });
const addFeature = (server: LocalRuntime, name: string) =>
  post(server, '/api/admin/projects/default/features', { name });
const turn = (server: LocalRuntime, name: string, to: 'on' | 'off') =>
  post(server, `/api/admin/projects/default/features/${name}/environments/development/${to}`);

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

test('A change arrives at a webhook, once SDKs are served it; a server that is killed loses none, and the next one sends what was left, in order', async () => {
  const receiver = await receiverOf();
  const data = folderInTest();
  const first = await start(data);
  await addWebhook(first, receiver.url);
  await addFeature(first, 'checkout');
  const changedAt = Date.now();
  await turn(first, 'checkout', 'on');
  await until(() => receiver.received.length === 2);
  expect((receiver.received[1]?.at ?? 0) - changedAt).toBeGreaterThanOrEqual(1_400);
  expect(receiver.received[0]?.headers['user-agent']).toMatch(/^Flagstaff\/\d/);
  for (const to of ['off', 'on', 'off'] as const) await turn(first, 'checkout', to);
  first.signal('SIGKILL');
  await first.ended;
  expect(receiver.received).toHaveLength(2);
  await start(data);
  await until(() => receiver.received.length >= 5);
  expect(receiver.events.map(({ type }) => type)).toEqual([
    'feature-created',
    'feature-environment-enabled',
    'feature-environment-disabled',
    'feature-environment-enabled',
    'feature-environment-disabled',
  ]);
});

test('A slow receiver that is sent much again keeps no other one waiting', async () => {
  const receiver = await receiverOf();
  receiver.answer = async ({ path }) => {
    if (path === '/slow') await sleep(1_500);
    return { status: 200 };
  };
  const server = await start(folderInTest());
  await addWebhook(server, `${receiver.url}/slow`);
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const name of names) await addFeature(server, name);
  await until(() => receiver.received.length === names.length);
  await addWebhook(server, `${receiver.url}/quick`);
  await post(server, '/api/admin/addons/1/events', { since: '2020-01-01T00:00:00Z' });
  await until(() => receiver.received.length > names.length);
  await post(server, '/api/admin/addons/2/events');
  await until(() => receiver.received.length >= 2 * names.length);
  expect(receiver.received.map(({ path }) => path)).toContain('/quick');
});

test('A server sends nothing with INTEGRATIONS=off', async () => {
  const receiver = await receiverOf();
  const data = folderInTest();
  const server = await start(data, { INTEGRATIONS: 'off' });
  await addWebhook(server, receiver.url);
  await addFeature(server, 'checkout');
  await sleep(2_000);
  expect(receiver.received).toEqual([]);
});
