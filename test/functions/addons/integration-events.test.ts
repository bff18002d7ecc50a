import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as sendingKeys from '../../../lib/integrations/sending/keys.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { chunksOf } from '../../../lib/values/lists.ts';
import { addFeatures } from '../../harness/features.ts';
import { contentOf } from '../../harness/items.ts';
import { betweenReadAndWrite, recordStoreRequests } from '../../harness/store-requests.ts';
import { Receiver } from '../../lib/integrations/sending/receiver.ts';
import { TestSender } from '../../lib/integrations/sending/sender.ts';
import { openTo, serviceForEach, specify } from '../../specifications/specify.ts';

specify('getIntegrationEvents', {
  route: 'GET /api/admin/addons/{id}/events',
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { id: await world.addon() } }),
  differs: '404 for an unknown addon',
});

describe('The log of an addon', () => {
  const service = serviceForEach();

  async function sendTo(status: (name: string) => number, names: readonly string[]) {
    vi.stubEnv('INTEGRATION_ALLOWED_HOSTS', '127.0.0.1');
    const receiver = await Receiver.start();
    onTestFinished(async () => {
      await receiver[Symbol.asyncDispose]();
    });
    receiver.answer = ({ body }) => ({ status: status(JSON.parse(body).featureName), body: 'an answer' });
    const sending = await new TestSender(service.table).begin();
    const { body } = await service.post('/api/admin/addons', {
      ...{ provider: 'webhook', enabled: true, events: ['feature-created'] },
      parameters: { url: `${receiver.url}/secret-path`, authorization: 'secret-header' },
    });
    for (const name of names) await addFeatures(service, [name]);
    await sending.notify();
    return (query = '') => service.get(`/api/admin/addons/${body.id}/events${query}`);
  }

  test('shows each event with what was sent, its attempts and its state, newest first, without a secret', async () => {
    const log = await sendTo((name) => (name === 'bad' ? 400 : 200), ['good', 'bad']);
    const { status, body } = await log();
    expect(status).toBe(200);
    const [bad, good] = body.integrationEvents;
    expect(body.integrationEvents).toHaveLength(2);
    expect(bad).toMatchObject({
      state: 'failed',
      stateDetails: 'status code 400: an answer',
      event: { featureName: 'bad' },
    });
    expect(good).toMatchObject({ id: String(good.event.id), integrationId: expect.any(Number), state: 'success' });
    expect(good.details.body).toEqual({ ...good.event, groupType: 'transaction', groupId: good.id });
    expect(good.details.attempts).toEqual([{ at: expect.any(String), ms: expect.any(Number), reason: '' }]);
    expect(JSON.stringify(body)).not.toMatch(/secret-/);
  });

  test('is read by page and by state', async () => {
    const log = await sendTo((name) => (name.startsWith('bad') ? 400 : 200), ['a', 'bad-1', 'b', 'bad-2', 'c']);
    const names = async (query: string) =>
      (await log(query)).body.integrationEvents.map(
        ({ event }: { event: { featureName: string } }) => event.featureName,
      );
    expect(await names('?limit=2')).toEqual(['c', 'bad-2']);
    expect(await names('?limit=2&offset=2')).toEqual(['b', 'bad-1']);
    expect(await names('?state=failed')).toEqual(['bad-2', 'bad-1']);
    expect(await names('?state=failed&offset=1')).toEqual(['bad-1']);
    expect((await log('?limit=101')).status).toBe(400);
  });

  test('is read back for at most 20,000 entries per request, whatever their states', async () => {
    const log = await sendTo((name) => (name === 'bad' ? 400 : 200), ['bad']);
    const [bad] = (await log('?state=failed')).body.integrationEvents;
    const others = Array.from({ length: 20_000 }, (_, index) =>
      sendingKeys.sentEvent(bad.integrationId, bad.event.id + 1 + index),
    );
    for (const chunk of chunksOf(others, 100)) {
      const writes = chunk.map((put) => ({ put, item: { state: 'success' } }));
      await transact(service.table, writes, undefined);
    }
    expect((await log('?state=failed')).body.integrationEvents).toEqual([]);
    await transact(service.table, [{ remove: others[0] as Key }], undefined);
    expect((await log('?state=failed')).body.integrationEvents).toMatchObject([{ id: bad.id }]);
  });
});

specify('sendIntegrationEvents', {
  route: 'POST /api/admin/addons/{id}/events',
  ...openTo('Editor', 'UPDATE_ADDON'),
  request: async (world) => ({
    params: { id: await world.addon({ enabled: true }) },
    body: { ids: [1], failed: true, since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' },
  }),
  again: 'once more',
  unversioned: 'it changes nothing that a read shows',
});

describe('Sending again', () => {
  // Time stands still, for the service and for who sends.
  beforeEach(() => void vi.setSystemTime('2026-03-02T10:00:00Z'));
  const service = serviceForEach();
  let receiver: Receiver;
  let sending: TestSender;
  let path: string;

  beforeEach(async () => {
    vi.stubEnv('INTEGRATION_ALLOWED_HOSTS', '127.0.0.1');
    receiver = await Receiver.start();
    onTestFinished(async () => {
      vi.useRealTimers();
      await receiver[Symbol.asyncDispose]();
    });
    sending = await new TestSender(service.table).begin();
    const addon = {
      provider: 'webhook',
      enabled: true,
      parameters: { url: receiver.url },
      events: ['feature-created'],
    };
    path = `/api/admin/addons/${(await service.post('/api/admin/addons', addon)).body.id}`;
    sending.lose();
  });

  const ask = (body: object) => service.post(`${path}/events`, body);
  const log = async () => (await service.get(`${path}/events`)).body.integrationEvents;
  const names = () => receiver.events.map(({ featureName }) => featureName);

  async function sendFailing(bad: readonly string[], all: readonly string[]) {
    receiver.answer = ({ body }) => ({ status: bad.includes(JSON.parse(body).featureName) ? 400 : 200 });
    for (const name of all) await addFeatures(service, [name]);
    await sending.notify();
    receiver.answer = () => ({ status: 200 });
    const sent = receiver.received.splice(0);
    return new Map(sent.map(({ headers, body }) => [JSON.parse(body).featureName, headers['webhook-id']]));
  }

  test('sends a test message in the form of the provider', async () => {
    expect((await ask({})).status).toBe(202);
    await sending.poll();
    expect(receiver.events).toMatchObject([{ type: 'feature-created', featureName: 'example', data: { test: true } }]);
    expect(await log()).toMatchObject([{ state: 'success', event: { data: { test: true } } }]);
    await sending.poll();
    expect(receiver.events).toHaveLength(1);
  });

  test('sends events of the log with their earlier ids, and the log shows their outcome', async () => {
    const ids = await sendFailing(['b'], ['a', 'b', 'c']);
    const [, failed] = await log();
    expect(failed).toMatchObject({ state: 'failed', event: { featureName: 'b' } });
    expect((await ask({ ids: [Number(failed.id)] })).status).toBe(202);
    await sending.poll();
    expect(names()).toEqual(['b']);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(ids.get('b'));
    const [, mended] = await log();
    expect(mended.state).toBe('success');
    expect(mended.details.attempts).toHaveLength(2);
  });

  test('sends failed events since a time, or all events, in order', async () => {
    await sendFailing(['a', 'c'], ['a', 'b', 'c']);
    await ask({ failed: true });
    await sending.poll();
    expect(names()).toEqual(['a', 'c']);
    await ask({ since: '2020-01-01T00:00:00Z' });
    await sending.poll();
    expect(names()).toEqual(['a', 'c', 'a', 'b', 'c']);
  });

  test('ends after three failures in a row', async () => {
    await sendFailing([], ['a', 'b', 'c', 'd', 'e']);
    receiver.answer = () => ({ status: 500 });
    await ask({ since: '2020-01-01T00:00:00Z' });
    await sending.poll();
    await sending.poll();
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  test('continues the next day if the addon has had all requests of a day', async () => {
    vi.stubEnv('INTEGRATION_DAILY_LIMIT', '5');
    await sendFailing([], ['a', 'b', 'c']);
    await ask({ since: '2020-01-01T00:00:00Z' });
    await sending.pass(5);
    expect(names()).toEqual(['a', 'b']);
    const asked = await recordStoreRequests(service.table, () => sending.poll());
    expect(asked.filter(({ targets }) => `${targets}`.includes('EVENTS'))).toEqual([]);
    vi.setSystemTime('2026-03-03T10:00:00Z');
    await sending.poll();
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  test('ends if the addon is disabled, and continues after a new address or an end of the process, with nothing twice', async () => {
    const body = { provider: 'webhook', enabled: true, parameters: { url: '*****' }, events: ['feature-created'] };
    const meanwhile = (action: () => unknown) => {
      receiver.received.length = 0;
      receiver.answer = async () => {
        sending.clock.move(6_000);
        if (receiver.received.length === 2) await action();
        return { status: 200 };
      };
      return ask({ since: '2020-01-01T00:00:00Z' });
    };
    await sendFailing([], ['a', 'b', 'c', 'd']);
    await meanwhile(() => service.put(path, { ...body, parameters: { url: `${receiver.url}/new` } }));
    await sending.poll();
    expect(receiver.received.map((each) => each.path)).toEqual(['/', '/', '/new', '/new']);
    await meanwhile(() => sending.stopping.abort());
    await sending.poll();
    const next = new TestSender(service.table);
    next.clock.move(60_000);
    await next.poll();
    expect(names()).toEqual(['a', 'b', 'c', 'd']);
    sending = next;
    await meanwhile(() => service.put(path, { ...body, enabled: false }));
    await sending.poll();
    await service.put(path, body);
    await sending.pass(2);
    expect(names()).toEqual(['a', 'b']);
  });

  test('refuses an eleventh waiting request', async () => {
    for (let asked = 0; asked < 10; asked += 1) expect((await ask({})).status).toBe(202);
    const { status, body } = await ask({});
    expect(status).toBe(400);
    expect(body.details).toMatchObject([
      { message: expect.stringContaining('At most 10 waiting requests to send again') },
    ]);
    await sending.poll();
    expect((await ask({})).status).toBe(202);
  });

  test('refuses an end before its beginning', async () => {
    const { status, body } = await ask({ since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' });
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ path: 'until' }]);
  });

  test('leaves nothing behind if the addon is deleted concurrently', async () => {
    const reply = await betweenReadAndWrite(
      service.table,
      () => service.call('DELETE', path),
      () => ask({}),
    );
    expect(reply.status).toBe(404);
    expect((await contentOf(service.table)).filter(({ sk }) => sk.startsWith('AGAIN#'))).toEqual([]);
  });

  test('refuses a disabled addon', async () => {
    const addon = { provider: 'webhook', enabled: false, parameters: { url: '*****' }, events: ['feature-created'] };
    await service.put(path, addon);
    expect((await ask({})).status).toBe(400);
  });
});
