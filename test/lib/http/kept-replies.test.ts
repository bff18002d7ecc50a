import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { openSqliteStore } from '../../../infra/local/sqlite/sqlite-store.ts';
import { loadFeature } from '../../../lib/features/feature-store.ts';
import { timeoutEarlyInMillis } from '../../../lib/http/deadline.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import type { Route } from '../../../lib/http/local/router.ts';
import { registerInProcessStore } from '../../../lib/store/client/in-process.ts';
import { fillFresh } from '../../harness/fresh-content.ts';
import { type Service, serviceOn } from '../../harness/service.ts';
import { freshTable } from '../../harness/table.ts';

/** The disk of the store, as far as replies wait for it. */
let kept: () => Promise<void> | undefined;
let service: Service;

beforeAll(async () => {
  kept = () => undefined;
  const { answer } = await openSqliteStore(undefined);
  registerInProcessStore('memory:kept-replies', { answer, awaitDurable: () => kept(), assertSound() {} });
  const table = await freshTable('memory:kept-replies');
  await fillFresh(table);
  service = await serviceOn(table);
});

test('A reply or a refusal waits until the data that it describes are on disk; the next change does not', async () => {
  const disk = Promise.withResolvers<void>();
  kept = () => disk.promise;
  let replies = 0;
  const post = (path: string, body?: object) =>
    service.post(`/api/admin/projects/default/features${path}`, body).finally(() => {
      replies += 1;
    });
  const created = post('', { name: 'kept' });
  await expect.poll(() => loadFeature(service.table, 'kept')).toBeDefined();
  const again = post('', { name: 'kept' });
  const cloned = post('/kept/clone', { name: 'clone' });
  await expect.poll(() => loadFeature(service.table, 'clone')).toBeDefined();
  await nextTurn();
  expect(replies).toBe(0);
  disk.resolve();
  expect(await Promise.all([created, again, cloned])).toMatchObject([
    { status: 201 },
    { status: 409 },
    { status: 201 },
  ]);
});

test('A change that the disk refuses gets a 503', async () => {
  kept = async () => {
    throw new Error('input/output error');
  };
  expect(await service.post('/api/admin/projects/default/features', { name: 'refused' })).toMatchObject({
    status: 503,
    body: { message: 'The store is busy or unreachable; try again.' },
  });
  expect(await service.get('/api/admin/projects/default/features/nowhere')).toMatchObject({ status: 503 });
});

test('A disk that does not answer leads to a 503 before the deadline of the request', async () => {
  kept = () => new Promise(() => {});
  const routeKey = 'GET /api/admin/environments';
  const { statusCode } = await registry.getAllEnvironments(
    { rawPath: '/api/admin/environments', headers: { authorization: service.adminToken } } as never,
    { ...toContext({ routeKey } as Route, 'silent-disk'), getRemainingTimeInMillis: () => timeoutEarlyInMillis + 200 },
  );
  expect(statusCode).toBe(503);
});
