import { describe, expect } from 'vitest';
import { problemPaths } from '../../harness/features.ts';
import type { Reply } from '../../harness/gateway.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { ofMetrics, ofReports, registration, usageReport } from '../../specifications/bodies.ts';
import { specify, test, worldForEach } from '../../specifications/specify.ts';

specify('getFrontendApiFeaturesWithPost', {
  route: 'POST /api/frontend',
  may: 'frontend tokens',
  given: (world) => world.deliveredFeature(),
  request: () => ({ body: { context: { appName: 'shop', userId: '7', properties: { plan: 'paid' } } } }),
});

test('A context in the body, of texts, numbers and truth values, outranks the query', async ({ service, world }) => {
  const constraints = [
    { contextName: 'age', operator: 'NUM_GT', value: '17' },
    { contextName: 'member', operator: 'IN', values: ['true'] },
    { contextName: 'userId', operator: 'IN', values: ['7'] },
  ];
  await world.feature({ on: true, strategies: [{ name: 'default', constraints }] });
  const token = await world.sdkToken('frontend');
  const post = (body: unknown, query = '') => service.post(`/api/frontend${query}`, body, { token });
  const context = { userId: 7, properties: { age: 18, member: true, nothing: null } };
  expect((await post({ context })).body.toggles).toHaveLength(1);
  expect((await post({ context }, '?userId=8')).body.toggles).toHaveLength(1);
  expect((await post({ context: { properties: context.properties } }, '?userId=7')).body.toggles).toHaveLength(1);
  expect((await post({})).body.toggles).toEqual([]);
  expect(await service.call('POST', '/api/frontend', { token })).toMatchObject({ status: 200, body: { toggles: [] } });
  const answer = await post({ context: { userId: ['7'], properties: { age: {} }, name: 'n'.repeat(4_097) } });
  expect(problemPaths(answer)).toEqual(['context.name', 'context.properties.age', 'context.userId']);
});

specify('registerFrontendClient', {
  route: 'POST /api/frontend/client/register',
  may: 'frontend tokens',
  request: async (world) => ({ body: registration(world) }),
  ...ofReports,
});

specify('registerFrontendMetrics', {
  route: 'POST /api/frontend/client/metrics',
  may: 'frontend tokens',
  request: async (world) => ({ body: await usageReport(world) }),
  ...ofMetrics,
});

specify('getFrontendFeatures', {
  route: 'GET /api/frontend',
  may: 'frontend tokens',
  given: (world) => world.deliveredFeature(),
  request: () => ({ query: { appName: 'shop', userId: '7', 'properties[plan]': 'paid' } }),
});

describe('A page', () => {
  const { service, world } = worldForEach();
  const get = async (query: string, headers: Record<string, string> = {}): Promise<Reply> =>
    service.get(`/api/frontend?${query}`, { token: await world.sdkToken('frontend'), headers });
  const namesIn = ({ body }: Reply) => body.toggles.map(({ name }: { name: string }) => name);

  test('gets the features that are on for its context, with the variant of each', async () => {
    const payload = { type: 'string', value: '#00f' };
    const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default', payload }];
    const plain = await world.feature({ on: true });
    const blue = await world.feature({
      on: true,
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '100' }, variants }],
    });
    await world.feature();
    const { status, body, headers } = await get('userId=7');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-cache');
    const on = { feature_enabled: true, featureEnabled: true };
    const shown = { enabled: true, impressionData: false };
    expect(body.toggles).toEqual([
      { ...shown, name: plain.name, variant: { ...on, name: 'disabled', enabled: false } },
      { ...shown, name: blue.name, variant: { ...on, name: 'blue', enabled: true, payload } },
    ]);
  });

  test('meets constraints with its context in all parts of the query', async () => {
    const at = (time: string) => `currentTime=${time}T00:00:00.000Z`;
    const cases: readonly [object, string, string | undefined][] = [
      [{ contextName: 'userId', operator: 'IN', values: ['7'] }, 'userId=7', 'userId=8'],
      [{ contextName: 'plan', operator: 'IN', values: ['a,b'] }, 'properties[plan]=a,b', 'properties[plan]=a'],
      [{ contextName: 'plan', operator: 'IN', values: ['paid'] }, 'plan=paid', 'properties%5Bplan%5D=free'],
      [{ contextName: 'environment', operator: 'IN', values: ['elsewhere'] }, 'environment=elsewhere', ''],
      [{ contextName: 'environment', operator: 'IN', values: ['development'] }, 'environment=', 'environment=default'],
      [{ contextName: 'remoteAddress', operator: 'IN', values: ['10.0.0.1'] }, 'remoteAddress=10.0.0.1', ''],
      [
        { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00.000Z' },
        at('2026-01-02'),
        at('2025-01-02'),
      ],
    ];
    const features = [];
    for (const [constraint] of cases) {
      features.push(await world.feature({ on: true, strategies: [{ name: 'default', constraints: [constraint] }] }));
    }
    for (const [index, [, met, missed]] of cases.entries()) {
      expect(namesIn(await get(met)), met).toContain(features[index]?.name);
      if (missed !== undefined) expect(namesIn(await get(missed)), missed).not.toContain(features[index]?.name);
    }
  });

  test('has segments and dependencies evaluated', async () => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }];
    const segment = await world.segment({ constraints });
    const parent = await world.feature({ on: true, strategies: [{ name: 'userWithId', parameters: { userIds: '' } }] });
    await world.strategy(parent, { name: 'default', segments: [segment.id] });
    const child = await world.feature({ on: true, parents: [parent.name] });
    expect(namesIn(await get('userId=7'))).toEqual([parent.name, child.name]);
    expect(namesIn(await get('userId=8'))).toEqual([]);
  });

  test('gets a 304 for its ETag while its context stays the same', async () => {
    await world.feature({ on: true, strategies: [{ name: 'userWithId', parameters: { userIds: '7' } }] });
    const { etag = '' } = (await get('userId=7')).headers;
    expect(await get('userId=7', { 'if-none-match': etag })).toMatchObject({ status: 304, text: '' });
    expect(await get('userId=8', { 'if-none-match': etag })).toMatchObject({ status: 200, body: { toggles: [] } });
  });
});

describe('A flag that takes more work for a context than a request may', () => {
  const { service, world } = worldForEach();
  const long = 'ab'.repeat(2_048);

  /** A flag that is on for everybody whose id does not match, others that depend on it, and one besides. */
  async function hardFlags() {
    const constraints = [480, 481].map((length) => ({
      ...{ contextName: 'userId', operator: 'REGEX', value: `[ab]*a[ab]{${length}}[cd]`, inverted: true },
    }));
    const { name: hard } = await world.feature({ on: true, strategies: [{ name: 'default', constraints }] });
    const { name: child } = await world.feature({ on: true, parents: [hard] });
    const { name: rival } = await world.feature({ on: true });
    const path = `/api/admin/projects/default/features/${rival}/dependencies`;
    await world.ask('POST', path, { feature: hard, enabled: false });
    return { hard, child, rival, besides: (await world.feature({ on: true })).name };
  }

  test('is off with all that depends on it, and the answer, the log and the caller say so', async () => {
    const { hard, child, besides } = await hardFlags();
    const token = await world.sdkToken('frontend');
    const ask = (userId: string) => service.post('/api/frontend', { context: { userId } }, { token });
    const namesIn = ({ body }: Reply) => body.toggles.map(({ name }: { name: string }) => name);
    const usual = await ask('ab'.repeat(18));
    expect([namesIn(usual), usual.headers.warning]).toEqual([[hard, child, besides], undefined]);
    let warned = usual;
    const { log } = await linesWrittenBy(async () => {
      warned = await ask(long);
    });
    expect(namesIn(warned)).toEqual([besides]);
    const warning = 'Undecided flags, which are off: 3.';
    expect(warned.headers.warning).toContain(warning);
    expect(log).toMatchObject([{ level: 'WARN', status: 200, warning: expect.stringContaining(warning) }]);
  });

  test('is a failure for providers of OpenFeature, among all flags and alone', async () => {
    const { hard, child, rival, besides } = await hardFlags();
    const token = await world.sdkToken('client');
    const ask = (key = '') => service.post(`/ofrep/v1/evaluate/flags${key}`, { context: { userId: long } }, { token });
    const failure = { errorCode: 'INVALID_CONTEXT', errorDetails: expect.stringContaining('use shorter values') };
    expect((await ask()).body.flags).toEqual([
      ...[hard, child, rival].map((key) => ({ key, ...failure })),
      expect.objectContaining({ key: besides, value: true }),
    ]);
    for (const key of [hard, child, rival]) {
      expect(await ask(`/${key}`)).toMatchObject({ status: 400, body: { key, ...failure } });
    }
    expect(await ask(`/${besides}`)).toMatchObject({ status: 200, body: { value: true } });
  });
});
