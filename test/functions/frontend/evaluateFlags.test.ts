import { expect } from 'vitest';
import { type WholeItem, writeBatch } from '../../../lib/store/whole-items.ts';
import { contentOf } from '../../harness/items.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('evaluateFlags', {
  route: 'POST /ofrep/v1/evaluate/flags',
  may: 'tokens of SDKs',
  request: async (world) => {
    await world.deliveredFeature();
    return { body: { context: { targetingKey: '7', plan: 'paid' } } };
  },
});

test('An OpenFeature provider gets all flags of its token, and 304 until one changes', async ({ service, world }) => {
  const shop = await world.project();
  const payload = { type: 'number', value: '3' };
  const variants = [{ name: 'three', weight: 1000, weightType: 'variable', stickiness: 'default', payload }];
  const sized = await world.feature({
    project: shop,
    on: true,
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: '100' }, variants }],
  });
  const plain = await world.feature({
    project: shop,
    on: true,
    strategies: [{ name: 'userWithId', parameters: { userIds: '7' } }],
  });
  await world.feature();
  const token = await world.frontendToken({ projects: [shop] });
  const evaluate = (targetingKey: string, headers = {}) =>
    service.post('/ofrep/v1/evaluate/flags', { context: { targetingKey } }, { token, headers });
  const { status, body, headers } = await evaluate('7');
  expect(status).toBe(200);
  expect(body.flags).toMatchObject([
    { key: sized.name, value: 3, variant: 'three' },
    { key: `${sized.name}:enabled`, value: true },
    { key: plain.name, value: true },
  ]);
  const known = { 'if-none-match': headers.etag };
  expect(await evaluate('7', known)).toMatchObject({ status: 304, text: '' });
  expect(await evaluate('8', known)).toMatchObject({ status: 200 });
  expect((await evaluate('8')).body.flags.at(-1)).toMatchObject({ key: plain.name, value: false });
});

test('A payload of earlier releases with too many levels is no value, and harms none', async ({ service, world }) => {
  const payload = { type: 'json', value: '"deep"' };
  const variants = [{ name: 'one', weight: 1000, weightType: 'variable', stickiness: 'default', payload }];
  const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '100' }, variants }];
  const { name } = await world.feature({ on: true, strategies });
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const items = (await contentOf(service.table)).filter((item) => String(item.state).includes('deep'));
  const earlier = items.map((item) => ({ ...item, state: String(item.state).replace('\\"deep\\"', deep) }));
  await writeBatch(service.table, earlier as WholeItem[]);
  const token = await world.frontendToken();
  const { body } = await service.post('/ofrep/v1/evaluate/flags', { context: {} }, { token });
  expect(body.flags).toMatchObject([
    { key: name, reason: 'DISABLED', variant: 'one' },
    { key: `${name}:enabled`, value: true },
  ]);
});

test('A provider finds a code of OpenFeature in an error about all flags', async ({ service, world }) => {
  const token = await world.sdkToken('client');
  const answer = await service.post('/ofrep/v1/evaluate/flags', { context: 'me' }, { token });
  expect(answer).toMatchObject({ status: 400, body: { errorCode: 'INVALID_CONTEXT' } });
  expect(answer.body.key).toBeUndefined();
});
