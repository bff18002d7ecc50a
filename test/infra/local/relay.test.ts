import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/local/settings.ts';
import { Problem } from '../../../infra/problem.ts';
import * as changeRequestKeys from '../../../lib/change-requests/keys.ts';
import { createEnvironmentRequest } from '../../../lib/request.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { flushUsage, registerMetrics } from '../../../lib/usage/register-usage.ts';
import { findUsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { forward, listening } from '../../harness/listening.ts';
import { freshService } from '../../harness/service.ts';
import { storeEndpoint } from '../../harness/store-endpoint.ts';
import { World } from '../../harness/world.ts';
import { type LocalRuntime, startRuntime } from './local-runtime.ts';

const reads = ['GetItem', 'BatchGetItem', 'Query'];

/**
 * The store for a client with rights to read only: all other requests are refused as AWS does, and kept in a list.
 * `forget` makes it a stranger, whose every request is.
 */
async function readOnlyStore() {
  const refused: string[] = [];
  let isKnown = true;
  const server = await listening((incoming, outgoing) => {
    const action = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    if (isKnown && reads.includes(action)) return forward(incoming, outgoing, storeEndpoint());
    refused.push(action);
    incoming.resume();
    const __type = `com.amazon.coral.service#${isKnown ? 'AccessDenied' : 'UnrecognizedClient'}Exception`;
    outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify({ __type }));
  });
  const forget = () => {
    isKnown = false;
  };
  return { ...server, received: refused, forget };
}

test('A relay serves SDKs from a store that it may only read, and nobody else', async () => {
  const service = await freshService();
  const world = new World(service);
  const { name } = await world.feature({ on: true });
  const [client, frontend] = [await world.sdkToken('client'), await world.sdkToken('frontend')];
  // The deployed service sends it; who has no sender of mails would drop it.
  const mail = { mail: '{}', expiresAtSeconds: Date.now() / 1_000 + 60 };
  await transact(service.table, [{ put: changeRequestKeys.mail(1, 1, 'review'), item: mail }], undefined);
  const { TABLE_NAME = '' } = process.env;
  await using store = await readOnlyStore();
  const relay = await startRuntime({ RELAY: 'true', DYNAMODB_ENDPOINT: store.url, TABLE_NAME });
  const { printed, signal, ended, status } = relay;
  expect(printed).toContain('to SDKs only');
  expect(store.received).toEqual([]);
  const answer = await relay.ask('/api/client/features', client);
  expect(await answer.json()).toMatchObject({ features: [{ name, enabled: true }] });
  expect(await status('/api/frontend', frontend)).toBe(200);
  expect(await status('/health', client)).toBe(200);
  expect(await status('/api/admin/projects', service.adminToken)).toBe(404);
  expect(store.received).not.toContain('TransactWriteItems');
  expect((await report(relay, client, name)).status).toBe(202);
  signal('SIGTERM');
  expect(await ended).toMatchObject({ code: 0, problems: [] });
});

test('A relay whose credentials are no longer accepted serves its last flags, and stops on a signal', async () => {
  const world = new World(await freshService());
  const { name } = await world.feature({ on: true });
  const client = await world.sdkToken('client');
  await using store = await readOnlyStore();
  const { TABLE_NAME = '' } = process.env;
  const relay = await startRuntime({ RELAY: 'true', DYNAMODB_ENDPOINT: store.url, TABLE_NAME });
  expect(await relay.status('/api/client/features', client)).toBe(200);
  store.forget();
  await sleep(1_500);
  expect(await relay.status('/api/client/features', client)).toBe(200);
  const unknown = await relay.ask('/api/client/features', '*:production.unknown');
  expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await report(relay, client, name)).status).toBe(202);
  relay.signal('SIGTERM');
  expect(await relay.ended).toMatchObject({ code: 0 });
});

test('Reports of SDKs are dropped without an error if the relay may not write them', async () => {
  const world = new World(await freshService());
  const { name } = await world.feature({ on: true });
  await using store = await readOnlyStore();
  process.env.DYNAMODB_ENDPOINT = store.url;
  const table = createEnvironmentRequest();
  const scope = { projects: ['*'], environment: 'development' };
  const reporter = { scope, address: '127.0.0.1', sdkType: 'backend' } as const;
  await registerMetrics(table, reporter, { appName: 'shop', bucket: bucketOf(name) });
  await flushUsage(table);
  expect(store.received).toContain('UpdateItem');
  expect(findUsageBuffer(table).size).toBe(0);
});

test('Relays and servers on tables at AWS leave background work to the deployed service', () => {
  const DYNAMODB_ENDPOINT = 'https://dynamodb.eu-central-1.amazonaws.com';
  for (const elsewhere of [{ DYNAMODB_ENDPOINT }, { DYNAMODB_ENDPOINT: 'http://localhost:8000', RELAY: 'true' }]) {
    expect(readSettings(elsewhere)).toMatchObject({ runsClock: false, sendsEvents: false });
  }
  expect(readSettings({})).toMatchObject({ runsClock: true, sendsEvents: true });
});

test('A relay refuses all settings that prepare a store, in one error', () => {
  const settings = { RELAY: 'true', SEED_FILE: 'seed.json', INIT_FRONTEND_API_TOKENS: '*:development.public' };
  expect(() => readSettings(settings)).toThrow(Problem);
  for (const part of ['DYNAMODB_ENDPOINT', 'SEED_FILE', 'INIT_FRONTEND_API_TOKENS']) {
    expect(() => readSettings(settings)).toThrow(part);
  }
});

const report = ({ ask }: LocalRuntime, token: string, name: string) =>
  ask('/api/client/metrics', token, { appName: 'shop', bucket: bucketOf(name) });

const bucketOf = (name: string) => {
  const [start, stop] = [new Date(Date.now() - 1_000).toISOString(), new Date().toISOString()];
  return { start, stop, toggles: { [name]: { yes: 1, no: 0 } } };
};
