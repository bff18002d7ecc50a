import { describe, expect } from 'vitest';
import { type RawItem, writeBatch } from '../../../lib/store/raw-items.ts';
import { contentOf } from '../../harness/items.ts';
import { specify, test, worldForEach } from '../../specifications/specify.ts';

specify('evaluateFlag', {
  route: 'POST /ofrep/v1/evaluate/flags/{key}',
  may: 'tokens of SDKs',
  request: async (world) => ({
    params: { key: (await world.deliveredFeature()).name },
    body: { context: { targetingKey: '7', plan: 'paid' } },
  }),
});

/** A strategy for everybody with one variant. */
const withVariant = (payload?: object) => ({
  on: true,
  strategies: [
    {
      name: 'flexibleRollout',
      parameters: { rollout: '100' },
      variants: [
        { name: 'one', weight: 1000, weightType: 'variable', stickiness: 'default', ...(payload && { payload }) },
      ],
    },
  ],
});

describe('An OpenFeature provider', () => {
  const { service, world } = worldForEach();
  const evaluate = async (key: string, context?: object) =>
    service.post(
      `/ofrep/v1/evaluate/flags/${key}`,
      { ...(context && { context }) },
      { token: await world.sdkToken('client') },
    );

  test('gets a feature as a boolean, with a variant, which some providers cannot do without', async () => {
    const [on, off] = [await world.feature({ on: true }), await world.feature()];
    for (const [{ name: key }, enabled] of [[on, true] as const, [off, false] as const]) {
      const metadata = { project: 'default', type: 'release', enabled };
      const variant = enabled ? 'on' : 'off';
      expect((await evaluate(key)).body).toEqual({ key, value: enabled, reason: 'STATIC', variant, metadata });
    }
  });

  test('uses the targeting key as the id of the user, unless it sends one', async () => {
    const { name } = await world.feature({
      on: true,
      strategies: [{ name: 'userWithId', parameters: { userIds: '7' } }],
    });
    const valueFor = async (context: object) => (await evaluate(name, context)).body;
    expect(await valueFor({ targetingKey: '7' })).toMatchObject({ value: true, reason: 'TARGETING_MATCH' });
    expect(await valueFor({ targetingKey: '7', userId: '8' })).toMatchObject({ value: false });
    expect(await valueFor({ targetingKey: '8', userId: 7 })).toMatchObject({ value: true });
    expect(await valueFor({})).toMatchObject({ value: false });
  });

  test('has lists and objects of a context compared by their JSON', async () => {
    const constraints = [{ contextName: 'roles', operator: 'STR_CONTAINS', values: ['"admin"'] }];
    const { name } = await world.feature({ on: true, strategies: [{ name: 'default', constraints }] });
    expect((await evaluate(name, { roles: ['user', 'admin'] })).body.value).toBe(true);
    expect((await evaluate(name, { roles: ['user'] })).body.value).toBe(false);
  });

  test('gets a payload as its value, and a boolean beside it', async () => {
    const payloads: readonly [string, string, unknown][] = [
      ['string', 'blue', 'blue'],
      ['csv', 'a,b', 'a,b'],
      ['number', '1.5', 1.5],
      ['json', '{"color":"blue"}', { color: 'blue' }],
    ];
    const names: string[] = [];
    for (const [type, text] of payloads) {
      names.push((await world.feature(withVariant({ type, value: text }))).name);
    }
    for (const [index, [, , value]] of payloads.entries()) {
      const name = names[index] ?? '';
      expect((await evaluate(name)).body).toMatchObject({ key: name, value, reason: 'SPLIT', variant: 'one' });
      const key = `${name}:enabled`;
      expect((await evaluate(encodeURIComponent(key))).body).toMatchObject({ key, value: true, variant: 'one' });
    }
  });

  test('gets no value and the reason DISABLED without a payload, since some only check one of them', async () => {
    const blue = { type: 'string', value: 'blue' };
    const off = await world.feature({ ...withVariant(blue), on: false });
    const unreadable = await world.feature(withVariant({ type: 'number', value: 'many' }));
    const [strategy] = withVariant(blue).strategies;
    const elsewhere = { ...strategy, constraints: [{ contextName: 'country', operator: 'IN', values: ['NZ'] }] };
    const notChosen = await world.feature({ on: true, strategies: [elsewhere, { name: 'default' }] });
    const metadata = { project: 'default', type: 'release' };
    for (const [{ name }, enabled, variant] of [
      [off, false, 'off'],
      [unreadable, true, 'one'],
      [notChosen, true, 'on'],
    ] as const) {
      const reason = 'DISABLED';
      expect((await evaluate(name)).body).toEqual({ key: name, reason, variant, metadata: { ...metadata, enabled } });
      // With a value, they would take the default for that reason as well.
      const beside = { value: enabled, variant, reason: expect.not.stringMatching(reason) };
      expect((await evaluate(`${name}:enabled`)).body).toMatchObject(beside);
    }
  });

  test('gets a feature of another environment as it is there', async () => {
    const { name } = await world.feature(withVariant({ type: 'string', value: 'blue' }));
    const token = await world.clientToken({ environment: 'production' });
    const { body } = await service.post(`/ofrep/v1/evaluate/flags/${name}`, {}, { token });
    expect(body).toMatchObject({ value: false, variant: 'off' });
  });

  test('gets true, and the name of the variant, of a feature whose variants have no payloads', async () => {
    const { name } = await world.feature(withVariant());
    expect((await evaluate(name)).body).toMatchObject({ value: true, variant: 'one', reason: 'SPLIT' });
  });

  test('finds the key and a code of OpenFeature in every error', async () => {
    const { name } = await world.feature();
    expect(await evaluate('missing')).toMatchObject({
      status: 404,
      body: { key: 'missing', errorCode: 'FLAG_NOT_FOUND', errorDetails: 'There is no flag "missing".' },
    });
    expect(await evaluate(name, ['no context'])).toMatchObject({
      status: 400,
      body: { key: name, errorCode: 'INVALID_CONTEXT' },
    });
    const token = await world.sdkToken('client');
    expect(await service.call('POST', `/ofrep/v1/evaluate/flags/${name}`, { token, body: '{' })).toMatchObject({
      status: 400,
      body: { key: name, errorCode: 'PARSE_ERROR' },
    });
  });

  test('may send its token as X-API-Key', async () => {
    const { name } = await world.feature({ on: true });
    const headers = { 'x-api-key': await world.sdkToken('frontend') };
    const answer = await service.post(`/ofrep/v1/evaluate/flags/${name}`, {}, { token: null, headers });
    expect(answer).toMatchObject({ status: 200, body: { value: true } });
  });
});

specify('evaluateFlags', {
  route: 'POST /ofrep/v1/evaluate/flags',
  may: 'tokens of SDKs',
  given: (world) => world.deliveredFeature(),
  request: () => ({ body: { context: { targetingKey: '7', plan: 'paid' } } }),
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

test('A payload of earlier releases with too many levels is no value, and affects no other flag', async ({
  service,
  world,
}) => {
  const payload = { type: 'json', value: '"deep"' };
  const variants = [{ name: 'one', weight: 1000, weightType: 'variable', stickiness: 'default', payload }];
  const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '100' }, variants }];
  const { name } = await world.feature({ on: true, strategies });
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const items = (await contentOf(service.table)).filter((item) => String(item.state).includes('deep'));
  const earlier = items.map((item) => ({ ...item, state: String(item.state).replace('\\"deep\\"', deep) }));
  await writeBatch(service.table, earlier as RawItem[]);
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
