import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Request } from '../../../lib/request.ts';
import { unavailableError } from '../../../lib/store/client/client.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { printImpactMetrics } from '../../../lib/usage/impact-metrics/prometheus-text.ts';
import { recordImpactMetrics } from '../../../lib/usage/impact-metrics/record-impact-metrics.ts';
import * as usageKeys from '../../../lib/usage/keys.ts';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { UsageBuffer } from '../../../lib/usage/usage-buffer.ts';
import { anotherProcess } from '../../harness/another-process.ts';
import { interceptRequests } from '../../harness/intercept.ts';
import type { World } from '../../harness/world.ts';
import { specify, worldForEach } from '../../specifications/specify.ts';

const shop = { appName: 'shop' };
const counter = (value: unknown, labels: object = shop, name = 'orders') => ({
  ...{ name, help: 'Orders', type: 'counter' },
  samples: [{ labels, value }],
});

/** Reports an increase of a counter. */
async function reportOrders(world: World): Promise<void> {
  const body = { appName: 'shop', impactMetrics: [counter(3)] };
  await world.ask('POST', '/api/client/metrics', body, { authorization: await world.sdkToken('client') });
  await flushUsage(world.service.table);
}

specify('getImpactMetricsMetadata', {
  route: 'GET /api/admin/impact-metrics/metadata',
  may: 'any token',
  request: async (world) => {
    await reportOrders(world);
    return {};
  },
});

specify('getImpactMetrics', {
  route: 'GET /api/admin/impact-metrics',
  may: 'any token',
  request: async (world) => {
    await reportOrders(world);
    return {
      query: { metricName: 'orders', range: 'week', aggregationMode: 'count', labels: '{"appName":["shop"]}' },
    };
  },
});

const gauge = (value: number, labels: object = shop) => ({ ...counter(value, labels, 'queue'), type: 'gauge' });
const histogram = (sum: number, buckets: readonly (readonly [number | '+Inf', number])[], labels: object = shop) => ({
  ...{ name: 'seconds', help: 'Response time', type: 'histogram' },
  samples: [{ labels, sum, count: buckets.at(-1)?.[1], buckets: buckets.map(([le, count]) => ({ le, count })) }],
});

/** Half past nine. */
const start = Date.UTC(2026, 10, 29, 9, 30);
const minute = 60_000;
const hour = 60 * minute;

afterEach(() => {
  vi.useRealTimers();
});

describe('Impact metrics', () => {
  const { service, world } = worldForEach();
  let token: string;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    token = await world.clientToken();
  });

  const bucket = null;
  const send = (impactMetrics: unknown) =>
    service.post('/api/client/metrics', { appName: 'shop', bucket, impactMetrics }, { token });
  const list = async () => (await service.get('/api/admin/impact-metrics/metadata')).body.metrics;
  const read = async (metricName: string, query: Readonly<Record<string, string>> = {}) => {
    await flushUsage(service.table);
    const text = new URLSearchParams({ metricName, range: 'hour', ...query });
    return await service.get(`/api/admin/impact-metrics?${text}`);
  };
  const pointsOf = async (...query: Parameters<typeof read>) => (await read(...query)).body.series[0]?.data ?? [];
  const seconds = (time: number) => time / 1_000;

  test('are listed, and summed up by minute from the reports of all instances', async () => {
    expect(await list()).toEqual([]);
    await send([counter(2), gauge(7)]);
    await send([counter(3)]);
    vi.setSystemTime(start + minute);
    await send([counter(4)]);
    expect(await pointsOf('orders')).toEqual([
      [seconds(start), '5'],
      [seconds(start + minute), '4'],
    ]);
    expect(await list()).toEqual([
      { name: 'orders', displayName: 'orders', help: 'Orders', type: 'counter', source: 'internal' },
      { name: 'queue', displayName: 'queue', help: 'Orders', type: 'gauge', source: 'internal' },
    ]);
  });

  test('come from servers, proxies and pages, in the environment of their token', async () => {
    const page = await world.frontendToken();
    const impactMetrics = [counter(1, { environment: 'production' })];
    expect((await send(impactMetrics)).status).toBe(202);
    expect((await service.post('/api/client/metrics/bulk', { impactMetrics }, { token })).status).toBe(202);
    const report = { appName: 'page', impactMetrics };
    expect((await service.post('/api/frontend/client/metrics', report, { token: page })).status).toBe(200);
    expect((await read('orders', { labels: '{"environment":["*"]}' })).body).toMatchObject({
      series: [{ metric: { environment: 'development' }, data: [[seconds(start), '3']] }],
      labels: { environment: ['development'] },
    });
  });

  test('have a series for each value of the selected labels', async () => {
    await send([counter(2, { appName: 'shop', colour: 'blue' }), counter(3, { appName: 'shop', colour: 'red' })]);
    await send([counter(5, { appName: 'store', colour: 'red' })]);
    const valuesOf = async (labels: object) =>
      (await read('orders', { labels: JSON.stringify(labels) })).body.series.map(
        ({ metric, data }: { metric: object; data: [number, string][] }) => [metric, data[0]?.[1]],
      );
    expect(await valuesOf({})).toEqual([[{}, '10']]);
    expect(await valuesOf({ appName: ['shop'] })).toEqual([[{ appName: 'shop' }, '5']]);
    expect(await valuesOf({ colour: ['*'], appName: [] })).toEqual([
      [{ colour: 'blue' }, '2'],
      [{ colour: 'red' }, '8'],
    ]);
    expect(await valuesOf({ colour: ['green'] })).toEqual([]);
    expect(await valuesOf({ metric_type: ['counter'] })).toEqual([[{ metric_type: 'counter' }, '10']]);
    expect((await read('orders')).body.labels).toEqual({
      ...{ appName: ['shop', 'store'], colour: ['blue', 'red'], metric_type: ['counter'] },
    });
  });

  test('are aggregated as their type allows', async () => {
    const buckets = [
      [1, 60],
      [2, 90],
      ['+Inf', 100],
    ] as const;
    await send([counter(30), gauge(4), gauge(8), gauge(10, { appName: 'store' }), histogram(120, buckets)]);
    vi.setSystemTime(start + minute - 1_000);
    const valuesOf = async (name: string, ...modes: string[]) => {
      const points = modes.map((aggregationMode) => pointsOf(name, { aggregationMode }));
      return (await Promise.all(points)).map(([point]) => point?.[1]);
    };
    expect(await valuesOf('orders', 'count', 'sum', 'rps', 'avg')).toEqual(['30', '30', '0.5', '30']);
    expect(await valuesOf('queue', 'count', 'sum', 'avg')).toEqual(['3', '16', '7.33333333333']);
    expect(await valuesOf('seconds', 'count', 'sum', 'avg')).toEqual(['100', '120', '1.2']);
    // Half of the observations are in the first five sixths of the first bucket; those above all bounds count as the last.
    expect(await valuesOf('seconds', 'p50', 'p95', 'p99')).toEqual(['0.833333333333', '2', '2']);
    expect((await read('orders', { aggregationMode: 'p95' })).status).toBe(400);
  });

  test('keep minutes for a day and hours for a month, by the time of the server', async () => {
    await send([counter(1)]);
    vi.setSystemTime(start + 30 * minute);
    await send([counter(2)]);
    vi.setSystemTime(start + 31 * minute);
    const [half, ten] = [seconds(start), seconds(start + 30 * minute)];
    expect(await pointsOf('orders')).toEqual([
      [half, '1'],
      [ten, '2'],
    ]);
    const hours = [
      [half - 1_800, '1'],
      [ten, '2'],
    ];
    expect(await pointsOf('orders', { range: 'day' })).toEqual(hours);
    expect(await pointsOf('orders', { range: 'week' })).toEqual(hours);
    expect(await pointsOf('orders', { range: 'day', step: '900' })).toEqual([
      [half, '1'],
      [ten, '2'],
    ]);
    // Six hours from six, and from noon.
    expect(await pointsOf('orders', { range: 'month' })).toEqual([[half - 3.5 * 3_600, '3']]);
    const lifeOf = async (kind: usageKeys.ImpactItem) => {
      const items = await queryAll<{ expiresAtSeconds: number }>(service.table, {
        pk: 'IMPACT_METRIC#orders',
        prefix: `${kind}#`,
      });
      return items.map(({ expiresAtSeconds }) => (expiresAtSeconds - half) / 3_600);
    };
    expect(await lifeOf('MINUTE')).toEqual([25, 25.5]);
    expect(await lifeOf('HOUR')).toEqual([31 * 24, 31 * 24 + 0.5]);
    expect(await lifeOf('LABELS')).toEqual([31 * 24, 31 * 24 + 0.5]);
  });

  test('that only say zero without labels, as those of an idle application of Node, are known to be zero', async () => {
    await send([
      counter(0, {}),
      histogram(
        0,
        [
          [1, 0],
          ['+Inf', 0],
        ],
        {},
      ),
    ]);
    expect((await read('orders')).body).toMatchObject({
      series: [{ metric: {}, data: [[seconds(start), '0']] }],
      labels: {},
    });
    expect(await pointsOf('seconds')).toEqual([[seconds(start), '0']]);
    expect(await pointsOf('seconds', { aggregationMode: 'p95' })).toEqual([]);
    expect(await pointsOf('unknown')).toEqual([]);
  });

  test('of several processes add up, also if their histograms have other buckets', async () => {
    const scope = { projects: ['*'], environment: 'development' };
    const processes = Array.from({ length: 3 }, () => anotherProcess(service.table));
    const recordAndWrite = async (request: Request, index: number) => {
      const buffer = new UsageBuffer(request.store);
      const bounds =
        index === 0
          ? [
              [1, 1],
              [3, 2],
              ['+Inf', 4],
            ]
          : [
              [1, 1],
              [2, 3],
              ['+Inf', 4],
            ];
      const metrics = [counter(0.1), histogram(5, bounds as [number, number][])];
      await recordImpactMetrics(request, buffer, scope, metrics, new Date(start));
      await buffer.flush(request);
    };
    await Promise.all(processes.map(recordAndWrite));
    expect(await pointsOf('orders')).toEqual([[seconds(start), '0.3']]);
    expect(await printImpactMetrics(service.table)).toContain(
      [
        'seconds_bucket{appName="shop",metric_type="histogram",origin="sdk",le="1"} 3',
        'seconds_bucket{appName="shop",metric_type="histogram",origin="sdk",le="2"} 7',
        'seconds_bucket{appName="shop",metric_type="histogram",origin="sdk",le="3"} 8',
        'seconds_bucket{appName="shop",metric_type="histogram",origin="sdk",le="+Inf"} 12',
        'seconds_sum{appName="shop",metric_type="histogram",origin="sdk"} 15',
        'seconds_count{appName="shop",metric_type="histogram",origin="sdk"} 12',
      ].join('\n'),
    );
  });

  test('are printed for Prometheus as on Unleash, and begin again each day', async () => {
    const text = async () => {
      await flushUsage(service.table);
      return await printImpactMetrics(service.table);
    };
    expect(await text()).toBe('');
    await send([counter(5, { b: 'say "hi"', a: 'x' }), gauge(7)]);
    await send([counter(10, { b: 'say "hi"', a: 'x' }), gauge(3)]);
    expect(await text()).toBe(
      [
        '# HELP orders Orders',
        '# TYPE orders counter',
        'orders{origin="sdk",metric_type="counter",a="x",b="say \\"hi\\""} 15',
        '',
        '# HELP queue Orders',
        '# TYPE queue gauge',
        'queue{origin="sdk",metric_type="gauge",appName="shop"} 3',
        '',
      ].join('\n'),
    );
    vi.setSystemTime(start + 15 * hour);
    await send([counter(1, {})]);
    expect(await text()).toContain('orders{origin="sdk",metric_type="counter"} 1\n');
    expect(await text()).not.toContain('} 15');
  });

  test('of hidden projects are hidden', async () => {
    const hidden = await world.project();
    await service.put(`/api/admin/projects/${hidden}`, { name: hidden, mode: 'private' });
    token = await world.clientToken({ projects: [hidden] });
    await send([counter(5)]);
    await flushUsage(service.table);
    const viewer = await world.tokenOfRole(3);
    const target = '/api/admin/impact-metrics';
    expect((await service.get(`${target}/metadata`, { token: viewer })).body.metrics).toEqual([]);
    expect((await service.get(`${target}?metricName=orders&range=hour`, { token: viewer })).body.series).toEqual([]);
    expect(await pointsOf('orders')).toHaveLength(1);
  });
});

describe('A hostile report of impact metrics', () => {
  const { service, world } = worldForEach();
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
  });
  const scope = { projects: ['*'], environment: 'development' };
  const record = async (metrics: unknown, request = service.table, now = new Date(start)) => {
    const buffer = new UsageBuffer(request.store);
    await recordImpactMetrics(request, buffer, scope, metrics, now);
    const { size } = buffer;
    await buffer.flush(request);
    return size;
  };
  const names = async () => {
    const items = await queryAll<{ sk: string }>(service.table, usageKeys.impactMetrics());
    return items.map(({ sk }) => sk);
  };
  const itemsOf = (name: string) =>
    queryAll<Record<string, unknown>>(service.table, { pk: `IMPACT_METRIC#${name}`, prefix: 'MINUTE#' });

  test('is accepted, and whatever is invalid in it is left out', async () => {
    const token = await world.clientToken();
    const { help: _help, ...helpless } = counter(1);
    const bad = [
      ...[7, null, 'x', [], {}, { ...counter(1), type: 'summary' }, { ...counter(1), samples: 7 }, helpless],
      ...[counter('1'), counter(-1), counter(null), counter(1e16), { ...counter(1), samples: [null, 7, {}] }],
      ...[
        counter(1, shop, '__proto__'),
        counter(1, shop, '1st'),
        counter(1, shop, 'x'.repeat(101)),
        counter(1, shop, ''),
      ],
      {
        ...histogram(1, [[1, 1]]),
        samples: [
          { sum: 1, count: 1 },
          { sum: 'NaN', count: 1, buckets: [] },
        ],
      },
    ];
    const send = (impactMetrics: unknown) =>
      Promise.all([
        service.post('/api/client/metrics', { appName: 'shop', impactMetrics }, { token }),
        service.post('/api/client/metrics/bulk', { impactMetrics }, { token }),
      ]);
    for (const metrics of [bad, 7, null, {}, 'x']) {
      expect((await send(metrics)).map(({ status }) => status)).toEqual([202, 202]);
    }
    await flushUsage(service.table);
    expect(await names()).toEqual([]);
    const labels = { ['__proto__']: 'x', le: '1', 'a b': 'x'.repeat(300), list: [], 7: 'x', size: 7 };
    await record([counter(1, labels, 'constructor')]);
    expect(await printImpactMetrics(service.table)).toContain(
      `constructor{origin="sdk",metric_type="counter",a_b="${'x'.repeat(100)}",size="7"} 1\n`,
    );
  });

  test('with a hundred thousand names takes two hundred places, and leaves those of others alone', async () => {
    await record([counter(1)]);
    const many = (prefix: string) =>
      Array.from({ length: 100_000 }, (_, index) => counter(1, shop, `${prefix}_${index}`));
    // A name, its labels, its minute and its hour.
    expect(await record(many('a'))).toBe(199 * 4);
    expect(await record([...many('b'), counter(1)])).toBe(0);
    // The time of its last report, its minute and its hour.
    expect(await record([counter(1)])).toBe(3);
    expect(await names()).toHaveLength(200);
  });

  test('of pages, which anybody can send, leave half of the places for servers', async () => {
    const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}_${index}`);
    const series = (prefix: string) => names(prefix, 60).map((region) => ({ labels: { region }, value: 1 }));
    const report = async (place: string, token: string, impactMetrics: object[]) => {
      await service.post(`/api/${place}`, { appName: 'shop', impactMetrics }, { token });
    };
    const orders = (prefix: string) => ({ ...counter(1), samples: series(prefix) });
    const others = (prefix: string) => names(prefix, 300).map((name) => counter(1, shop, name));
    await report('frontend/client/metrics', await world.sdkToken('frontend'), [orders('page'), ...others('page')]);
    await report('client/metrics', await world.sdkToken('client'), [orders('server'), ...others('server')]);
    await flushUsage(service.table);
    const countOf = (all: readonly string[], prefix: string) => all.filter((name) => name.startsWith(prefix)).length;
    const query = 'metricName=orders&range=hour&labels={"region":["*"]}';
    const { body } = await service.get(`/api/admin/impact-metrics?${query}`);
    expect(['page', 'server'].map((prefix) => countOf(body.labels.region, prefix))).toEqual([25, 25]);
    const { metrics } = (await service.get('/api/admin/impact-metrics/metadata')).body;
    const listed = metrics.map(({ name }: { name: string }) => name);
    expect(['page', 'server'].map((prefix) => countOf(listed, prefix))).toEqual([99, 100]);
  });

  test('frees the places of metrics that were silent for a day', async () => {
    const many = Array.from({ length: 200 }, (_, index) => counter(1, shop, `a_${index}`));
    await record(many);
    const later = new Date(start + 26 * hour);
    vi.setSystemTime(later);
    expect(await record([counter(1)], anotherProcess(service.table), later)).toBe(4);
    const { body } = await service.get('/api/admin/impact-metrics/metadata');
    expect(body.metrics).toHaveLength(200);
    expect(body.metrics.map(({ name }: { name: string }) => name)).toContain('orders');
  });

  test('of pages frees no place while more than half are taken, such as by metrics that servers report once a week', async () => {
    const many = (prefix: string) => Array.from({ length: 150 }, (_, index) => counter(1, shop, `${prefix}_${index}`));
    await record(many('weekly'));
    vi.setSystemTime(start + 26 * hour);
    const body = { appName: 'shop', impactMetrics: many('page') };
    await service.post('/api/frontend/client/metrics', body, { token: await world.sdkToken('frontend') });
    await flushUsage(service.table);
    expect((await names()).filter((name) => name.startsWith('page'))).toEqual([]);
  });

  const samples = (count: number, bounds = 200, from = 0) =>
    Array.from({ length: count }, (_, index) => ({
      labels: { user: `${from + index}` },
      ...{ sum: 1, count: bounds },
      buckets: Array.from({ length: bounds }, (_bound, bound) => ({ le: from + bound, count: bound })),
    }));

  test('with many series and buckets takes 600 buckets of all series an hour', async () => {
    // Beside the key and the expiry, each series has the sum, and twenty buckets and the one above them.
    const taken = 3 + 28 * 22;
    await record([{ ...histogram(1, []), samples: samples(1_000) }]);
    expect(Object.keys((await itemsOf('seconds'))[0] ?? {})).toHaveLength(taken);
    await record([{ ...histogram(1, []), samples: samples(10, 200, 5_000) }]);
    await record([{ ...histogram(1, []), samples: samples(10, 200, 9_000) }], anotherProcess(service.table));
    expect(Object.keys((await itemsOf('seconds'))[0] ?? {})).toHaveLength(taken);
    await record([{ ...histogram(1, []), samples: samples(1, 200, 5_000) }], service.table, new Date(start + hour));
    expect(await itemsOf('seconds')).toHaveLength(2);
  });

  test('does not take the place of fifty series with eleven buckets and the one above them', async () => {
    await record([{ ...histogram(1, []), samples: samples(60, 11) }]);
    expect(Object.keys((await itemsOf('seconds'))[0] ?? {})).toHaveLength(3 + 50 * 13);
  });

  test('is not kept by a process that has never read the store, so that an outage lifts no limit', async () => {
    await record([counter(1)]);
    const request = anotherProcess(service.table);
    using _ = interceptRequests(request, () => {
      throw unavailableError(undefined);
    });
    const buffer = new UsageBuffer(request.store);
    await recordImpactMetrics(request, buffer, scope, [counter(1)], new Date(start));
    expect(buffer.size).toBe(0);
  });

  test('cannot change the type of a metric', async () => {
    await record([counter(1)]);
    expect(await record([{ ...counter(5), type: 'gauge' }])).toBe(0);
  });
});
