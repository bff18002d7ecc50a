import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { chunksOf } from '../../../lib/features/items/chunks.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import * as keys from '../../../lib/store/keys.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { addFeatures } from '../../harness/features.ts';
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
      vi.unstubAllEnvs();
      await receiver[Symbol.asyncDispose]();
    });
    receiver.answer = ({ body }) => ({ status: status(JSON.parse(body).featureName), body: 'an answer' });
    const sending = await new TestSender(service.table).begin();
    const { body } = await service.post('/api/admin/addons', {
      ...{ provider: 'webhook', enabled: true, events: ['feature-created'] },
      parameters: { url: `${receiver.url}/secret-path`, authorization: 'secret-header' },
    });
    for (const name of names) await addFeatures(service, [name]);
    await sending.ring();
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

  test('is read page by page, and by state', async () => {
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

  test('is looked back on by one request no further than 20,000 entries, however many others a state has', async () => {
    const log = await sendTo((name) => (name === 'bad' ? 400 : 200), ['bad']);
    const [bad] = (await log('?state=failed')).body.integrationEvents;
    const others = Array.from({ length: 20_000 }, (_, index) =>
      keys.sentEvent(bad.integrationId, bad.event.id + 1 + index),
    );
    for (const chunk of chunksOf(others, 100)) {
      const writes = chunk.map((put) => ({ put, item: { state: 'success' } }));
      await transact(service.table, writes, undefined);
    }
    expect((await log('?state=failed')).body.integrationEvents).toEqual([]);
    await transact(service.table, [{ remove: others[0] as Key }], undefined);
    expect((await log('?state=failed')).body.integrationEvents).toMatchObject([{ id: bad.id }]);
  });

  test('is the same reply as long as nothing is sent, which a poll need not get again', async () => {
    const log = await sendTo(() => 200, ['a']);
    const { headers } = await log();
    expect(headers.etag).toBeTruthy();
  });
});
