import { beforeEach, describe, expect, test } from 'vitest';
import { flushUsage } from '../../../lib/usage/register-usage.ts';
import { specify, worldForEach } from '../../specifications/specify.ts';

specify('clientCustomMetrics', {
  route: 'POST /api/client/metrics/custom',
  may: 'client tokens',
  request: (world) => ({
    body: { metrics: [{ name: world.name('metric'), value: 1.5, labels: { status: '200', method: 'GET' } }] },
  }),
  required: ['metrics', 'metrics.0.name', 'metrics.0.value'],
  bodyBytesMax: 1_048_576,
  takesGzip: true,
});

describe('What applications measure themselves', () => {
  let token: string;
  const { service, world } = worldForEach();
  beforeEach(async () => {
    token = await world.sdkToken('client');
  });
  async function send(metrics: unknown): Promise<number> {
    const { status } = await service.post('/api/client/metrics/custom', { metrics }, { token });
    await flushUsage(service.table);
    return status;
  }
  const list = async () => (await service.get('/api/admin/custom-metrics')).body;
  const text = async () => (await service.get('/api/admin/custom-metrics/prometheus')).text;

  test('is listed by name and labels, with the last value of each', async () => {
    expect(await list()).toEqual({ metrics: [], count: 0, metricNames: [] });
    const labels = { status: '200', method: 'GET' };
    expect(
      await send([
        { name: 'requests', value: 1 },
        { name: 'requests', value: 2, labels },
      ]),
    ).toBe(202);
    expect(
      await send([
        { name: 'requests', value: -1e300 },
        { name: 'errors', value: 0.5, labels: {} },
      ]),
    ).toBe(202);
    const timestamp = expect.stringMatching(/^[\d-]{10}T\d\d:\d\d:00\.000Z$/);
    expect(await list()).toEqual({
      metrics: [
        { name: 'errors', value: 0.5, timestamp },
        { name: 'requests', value: -1e300, timestamp },
        { name: 'requests', value: 2, labels: { method: 'GET', status: '200' }, timestamp },
      ],
      count: 3,
      metricNames: ['errors', 'requests'],
    });
  });

  test('is kept of two thousand names with labels at most, so that the list can be answered', async () => {
    for (let start = 0; start < 3_000; start += 1_000) {
      const metrics = Array.from({ length: 1_000 }, (_, index) => ({ name: `metric-${start + index}`, value: 1 }));
      expect(await send(metrics)).toBe(202);
    }
    expect((await list()).count).toBe(2_000);
    const labels = { long: 'x'.repeat(255), longer: 'x'.repeat(255), longest: 'x'.repeat(255), more: 'x'.repeat(255) };
    expect(await send([{ name: 'long', value: 1, labels }])).toBe(400);
  });

  test('is read by Prometheus, whatever its names are', async () => {
    const head = '# What applications have measured within a day.';
    expect(await text()).toBe(`${head}\n`);
    await send([
      { name: 'http total', value: 7, labels: { 'a b': 'say "hi"\\', '1st': 'two\nlines' } },
      { name: '9lives', value: 9 },
      { name: 'x', value: 1, labels: { a: '' } },
      { name: 'x', value: 2 },
    ]);
    expect(await text()).toBe(
      [
        head,
        '',
        '# HELP _9lives Custom metric reported by applications',
        '# TYPE _9lives counter',
        '_9lives 9',
        '',
        '# HELP http_total Custom metric reported by applications',
        '# TYPE http_total counter',
        'http_total{_1st="two\\nlines",a_b="say \\"hi\\"\\\\"} 7',
        '',
        '# HELP x Custom metric reported by applications',
        '# TYPE x counter',
        'x 2',
        'x{a=""} 1',
        '',
      ].join('\n'),
    );
  });

  test('is refused completely if a part of it is invalid', async () => {
    const labels = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`l${index}`, '']));
    const bad = [
      { name: '', value: 1 },
      { name: 'x', value: 'many' },
      { name: 'x', value: 1, labels },
    ];
    for (const metric of bad) expect(await send([{ name: 'good', value: 1 }, metric])).toBe(400);
    expect(await send(Array.from({ length: 1_001 }, () => ({ name: 'x', value: 1 })))).toBe(400);
    expect((await list()).count).toBe(0);
  });
});
