import { describe, expect, vi } from 'vitest';
import { systemUser } from '../../../lib/events/actor.ts';
import { makeSecret } from '../../../lib/identity/tokens/token.ts';
import { segments } from '../../../lib/segments/segments.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { createApiToken } from '../../../lib/tokens/api-tokens.ts';
import type { Reply } from '../../harness/gateway.ts';
import { recordStoreRequests } from '../../harness/store-requests.ts';
import { ofMetrics, ofReports, registration, usageReport } from '../../specifications/bodies.ts';
import { specify, test, worldForEach } from '../../specifications/specify.ts';

specify('clientBulkMetrics', {
  route: 'POST /api/client/metrics/bulk',
  may: 'client tokens',
  request: async (world) => {
    const { name } = await world.deliveredFeature();
    const { environment } = world.home;
    const appName = world.name('app');
    const timestamp = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    return {
      body: {
        applications: [{ appName, instanceId: 'one', environment, sdkVersion: 'unleash-edge:20.0.0' }],
        metrics: [{ featureName: name, appName, environment, timestamp, yes: 3, no: 1, variants: { blue: 3 } }],
        impactMetrics: [
          {
            ...{ name: 'orders', help: 'Orders', type: 'counter' },
            samples: [{ value: 3, count: 1, sum: 3, buckets: [{ le: 0.5, count: 1 }], labels: { shop: 'web' } }],
          },
        ],
      },
    };
  },
  bodyBytesMax: 1_048_576,
  takesGzip: true,
  differs: 'invalid impact metrics are ignored, where Unleash refuses the report',
});

specify('getClientFeature', {
  route: 'GET /api/client/features/{featureName}',
  may: 'client tokens',
  request: async (world) => ({ params: { featureName: (await world.deliveredFeature()).name } }),
});

test('An SDK gets one feature as in the list, and 404 for one beyond its token', async ({ service, world }) => {
  const shop = await world.project();
  const feature = await world.feature({ project: shop, on: true });
  const token = await world.clientToken({ projects: [shop] });
  const path = `/api/client/features/${feature.name}`;
  const { body } = await service.get('/api/client/features', { token });
  expect(await service.get(path, { token })).toMatchObject({ status: 200, body: body.features[0] });
  const other = await world.clientToken({ projects: ['default'] });
  expect(await service.get(path, { token: other })).toMatchObject({ status: 404, body: { name: 'NotFoundError' } });
});

specify('registerClientApplication', {
  route: 'POST /api/client/register',
  may: 'client tokens',
  request: async (world) => ({ body: registration(world) }),
  ...ofReports,
});

specify('registerClientMetrics', {
  route: 'POST /api/client/metrics',
  may: 'client tokens',
  request: async (world) => ({ body: await usageReport(world) }),
  ...ofMetrics,
});

test('A report of an SDK is refused if its bucket has no times or no flags', async ({ service, world }) => {
  const [client, page] = [await world.sdkToken('client'), await world.sdkToken('frontend')];
  const now = new Date().toISOString();
  const send = async (bucket: unknown) => {
    const body = { appName: 'shop', instanceId: 'one', bucket };
    const answers = [
      await service.post('/api/client/metrics', body, { token: client }),
      await service.post('/api/frontend/client/metrics', body, { token: page }),
    ];
    return answers.map(({ status }) => status);
  };
  const good = { start: now, stop: now, toggles: {} };
  for (const time of [null, 'yesterday', '', {}, true]) {
    expect(await send({ ...good, stop: time }), `stop: ${time}`).toEqual([400, 400]);
    expect(await send({ ...good, start: time }), `start: ${time}`).toEqual([400, 400]);
  }
  for (const bucket of [7, [], { ...good, toggles: null }, { ...good, toggles: [] }]) {
    expect(await send(bucket), JSON.stringify(bucket)).toEqual([400, 400]);
  }
  // Python and Java send the first two where nothing was evaluated.
  const idle = { ...good, start: '1970-01-01T00:00:00Z', stop: '1970-01-01T00:00:00Z' };
  const precise = '2026-11-22T09:05:06.123456789Z';
  for (const bucket of [null, idle, good, { ...good, start: precise, stop: Date.now() }]) {
    expect(await send(bucket), JSON.stringify(bucket)).toEqual([202, 200]);
  }
});

specify('getValidTokens', {
  route: 'POST /edge/validate',
  may: 'anyone',
  request: async (world) => ({ body: { tokens: [await world.clientToken()] } }),
  required: ['tokens'],
  differs: 'tokens of SDKs only, at most 50 at once',
});

test('Valid tokens of SDKs are listed once each, with their scope, and no others', async ({ service, world }) => {
  const project = await world.project();
  const several = await world.clientToken({ projects: ['default', project], environment: 'production' });
  const frontend = await world.frontendToken();
  const scope = { projects: ['*'], environment: 'development' };
  const { value: expired } = await createApiToken(service.table, systemUser, {
    kind: 'client',
    name: 'late',
    ...scope,
    expiresAt: new Date(Date.now() - 1),
  });
  const others = [expired.secret, makeSecret(scope), service.adminToken, await world.token(), '', 'no token'];
  const { status, body } = await service.post('/edge/validate', { tokens: [several, ...others, frontend, several] });
  expect([status, body]).toEqual([
    200,
    {
      tokens: [
        { token: several, type: 'client', projects: ['default', project], environment: 'production' },
        { token: frontend, type: 'frontend', ...scope },
      ],
    },
  ]);
});

describe('The store', () => {
  const { service, world } = worldForEach();
  const scope = { projects: ['*'], environment: 'development' };
  const strangers = (length: number) => Array.from({ length }, () => makeSecret(scope));
  const ask = (tokens: readonly string[]) => service.post('/edge/validate', { tokens });
  const unitsOf = async (tokens: readonly string[]) => {
    const requests = await recordStoreRequests(service.table, () => ask(tokens));
    return requests.reduce((sum, { units }) => sum + units, 0);
  };

  test('is read for at most 50 tokens per request, and more are refused', async () => {
    const { status, body } = await ask(strangers(51));
    expect([status, body.details[0].path]).toEqual([400, 'tokens']);
    expect(await unitsOf(strangers(51))).toBe(0);
    expect(await unitsOf(strangers(50))).toBeLessThanOrEqual(50);
  });

  test('is not read for a malformed token, nor twice for an unknown one', async () => {
    expect(await unitsOf(['', 'no token', service.adminToken, makeSecret('user'), 'a'.repeat(10_000)])).toBe(0);
    const [unknown = ''] = strangers(1);
    expect(await unitsOf([unknown])).toBeGreaterThan(0);
    expect(await unitsOf([unknown])).toBe(0);
    // As after a process was frozen, and its own clock with it.
    using _frozen = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    using _later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(await unitsOf([unknown])).toBeGreaterThan(0);
  });

  test('is not read for more and more unknown tokens, which are a 429, while known tokens still work', async () => {
    const known = await world.clientToken();
    await ask([known]);
    const answers = [await ask(strangers(50)), await ask(strangers(50)), await ask(strangers(50))];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers['retry-after']).toBe('1');
    expect((await ask([known])).body.tokens).toMatchObject([{ token: known }]);
  });
});

specify('getAllClientFeatures', {
  route: 'GET /api/client/features',
  may: 'client tokens',
  given: (world) => world.deliveredFeature(),
});

specify('getClientDelta', {
  route: 'GET /api/client/delta',
  may: 'client tokens',
  given: (world) => world.deliveredFeature(),
});

describe('An SDK on a server', () => {
  const { service, world } = worldForEach();

  async function features(query = '', headers: Record<string, string> = {}, token?: string): Promise<Reply> {
    return service.get(`/api/client/features${query}`, { token: token ?? (await world.sdkToken('client')), headers });
  }
  const namesIn = ({ body }: Reply) => body.features.map(({ name }: { name: string }) => name);

  test('gets each feature as it is in the environment of its token, off ones and untouched ones too', async () => {
    const on = await world.feature({ on: true });
    const off = await world.feature();
    // test/lib/features/items/delivered-feature.test.ts has every property.
    expect((await features()).body).toMatchObject({
      version: 2,
      features: [
        { name: on.name, enabled: true, strategies: [{ name: 'flexibleRollout' }] },
        { name: off.name, enabled: false, strategies: [] },
      ],
    });
    const elsewhere = await world.clientToken({ environment: 'production' });
    expect((await features('', {}, elsewhere)).body.features).toMatchObject([
      { name: on.name, enabled: false, strategies: [] },
      { name: off.name, enabled: false, strategies: [] },
    ]);
  });

  test('gets only the features of the projects of its token, whatever it asks for', async () => {
    const shop = await world.project();
    const [here, there] = [await world.feature(), await world.feature({ project: shop })];
    const token = await world.clientToken({ projects: [shop] });
    expect(namesIn(await features('', {}, token))).toEqual([there.name]);
    expect(namesIn(await features('?project=default', {}, token))).toEqual([there.name]);
    const several = await world.clientToken({ projects: [shop, 'default'] });
    expect(namesIn(await features('', {}, several))).toEqual([here.name, there.name]);
  });

  test('chooses by project, by the beginning of the name and by tags, of which one will do', async () => {
    const shop = await world.project();
    const [here, there, tagged] = [
      await world.feature(),
      await world.feature({ project: shop }),
      await world.feature({ tags: [{ type: 'simple', value: 'a:b' }] }),
    ];
    expect(namesIn(await features('?project=default&project[]=missing'))).toEqual([here.name, tagged.name]);
    expect(namesIn(await features(`?project=missing`))).toEqual([]);
    expect(namesIn(await features(`?namePrefix=${there.name}`))).toEqual([there.name]);
    expect(namesIn(await features('?namePrefix=F'))).toEqual([]);
    expect(namesIn(await features('?tag=simple:a:b&tag=simple:other'))).toEqual([tagged.name]);
    expect(namesIn(await features('?tag=simple:a'))).toEqual([]);
    expect((await features('?tag=simple:a:b&namePrefix=f')).body.query).toEqual({
      namePrefix: 'f',
      tag: [['simple', 'a:b']],
      environment: 'development',
      inlineSegmentConstraints: true,
    });
  });

  test.each(['?namePrefix=', '?tag=', '?tag=simple', '?tag=:value', '?tag=simple:'])(
    'is refused with 400 that names the parameter for %s',
    async (query) => {
      const { status, body } = await features(query);
      expect(status).toBe(400);
      expect(body.details[0].path).toMatch(/^(namePrefix|tag)/);
    },
  );

  describe('with segments', () => {
    const own = { contextName: 'plan', operator: 'IN', values: ['paid'] };
    const shared = { contextName: 'country', operator: 'IN', values: ['CH'] };

    test('gets them separately if it reports version 4.2 or later', async () => {
      const segment = await world.segment({ constraints: [shared] });
      await world.segment();
      const feature = await world.feature();
      await world.strategy(feature, { name: 'default', constraints: [own], segments: [segment.id] });
      for (const spec of ['4.2.0', '4.3.1', '5.2.0', '6.1.0', '10.0.0']) {
        const { body } = await features('', { 'unleash-client-spec': spec });
        expect(body.segments, spec).toEqual([{ id: segment.id, name: segment.name, constraints: [shared] }]);
        expect(body.features[0].strategies, spec).toMatchObject([{ constraints: [own], segments: [segment.id] }]);
      }
    });

    test('gets their constraints after its own if it reports an earlier, no or an invalid version', async () => {
      const segment = await world.segment({ constraints: [shared] });
      const feature = await world.feature();
      await world.strategy(feature, { name: 'default', constraints: [own], segments: [segment.id] });
      for (const spec of [undefined, '4.1.9', '3.0.0', 'garbage', '99', '']) {
        const { body } = await features('', spec === undefined ? {} : { 'unleash-client-spec': spec });
        expect(body.segments, spec).toBeUndefined();
        expect(body.features[0].strategies, spec).toEqual([
          { name: 'default', parameters: {}, variants: [], constraints: [own, shared] },
        ]);
      }
    });

    test('gets no user into a strategy with a missing segment, in both forms', async () => {
      const { id } = await world.segment({ constraints: [shared] });
      const feature = await world.feature();
      await world.strategy(feature, { name: 'default', segments: [id] });
      await transact(service.table, [{ remove: segments.keyOf(id) }], undefined);
      const apart = await features('', { 'unleash-client-spec': '5.2.0' });
      expect(apart.body).toMatchObject({ segments: [], features: [{ strategies: [{ segments: [id] }] }] });
      const [{ strategies }] = (await features()).body.features;
      expect(strategies[0].constraints).toEqual([{ contextName: 'userId', operator: 'IN', values: [] }]);
    });
  });

  test('gets a 304 for its ETag, exact, weak, in a list or *, and a 200 after a change', async () => {
    await world.feature();
    const { headers, body } = await features();
    const { etag = '' } = headers;
    expect(body.meta).toEqual({
      etag,
      queryHash: etag.split(':')[0]?.slice(1),
      revisionId: Number(etag.split(':')[1]),
    });
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect(await features('', { 'if-none-match': known })).toMatchObject({
        status: 304,
        text: '',
        headers: { etag },
      });
    }
    for (const query of ['?namePrefix=f', '?project=default']) {
      expect((await features(query, { 'if-none-match': etag })).status).toBe(200);
    }
    expect((await features('', { 'if-none-match': etag, 'unleash-client-spec': '5.0.0' })).status).toBe(200);
  });
});
