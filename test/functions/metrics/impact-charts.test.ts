import { describe, expect } from 'vitest';
import { eventsAddedBy, paths, problemPaths } from '../../harness/features.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import type { World } from '../../harness/world.ts';
import { openTo, specify, test, worldForEach } from '../../specifications/specify.ts';

const ofService = '/api/admin/impact-metrics/config';
const ofFeature = '/api/admin/projects/{projectId}/features/{featureName}/impact-metrics/config' as const;

/** A chart with every property. */
const chart = {
  metricName: 'orders',
  timeRange: 'week',
  aggregationMode: 'sum',
  labelSelectors: { appName: ['shop', 'office'], environment: ['*'] },
  yAxisMin: 'zero',
  title: 'Orders of a week',
  source: 'internal',
};
const required = ['metricName', 'timeRange', 'aggregationMode', 'labelSelectors', 'yAxisMin'];

const chartOf = async (world: World, path: string) => (await world.ask('POST', path, chart)).body.id as string;

/** A feature with a saved chart: the variables of a path that leads to it. */
async function chartPlace(world: World) {
  const { place } = await world.feature();
  const path = `${paths.feature(place.featureName, place.projectId)}/impact-metrics/config`;
  return { ...place, chartId: await chartOf(world, path) };
}

specify('getInstanceImpactMetricsConfig', {
  route: `GET ${ofService}`,
  may: 'any token',
  given: (world) => chartOf(world, ofService),
});

specify('saveInstanceImpactMetricsConfig', {
  route: `POST ${ofService}`,
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ body: { id: await chartOf(world, ofService), ...chart, title: 'Orders' } }),
  required,
  versionAt: 'replies',
});

specify('deleteInstanceImpactMetricsConfig', {
  route: `DELETE ${ofService}/{chartId}`,
  ...openTo('Admin', 'ADMIN'),
  request: async (world) => ({ params: { chartId: await chartOf(world, ofService) } }),
  again: 404,
  versionAt: 'replies',
});

specify('getFeatureImpactMetrics', {
  route: `GET ${ofFeature}`,
  may: 'any token',
  request: async (world) => ({ params: await chartPlace(world) }),
  ofArchived: true,
});

specify('saveFeatureImpactMetricsConfig', {
  route: `POST ${ofFeature}`,
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => {
    const { chartId, ...params } = await chartPlace(world);
    return { params, body: { id: chartId, ...chart, title: 'Orders' } };
  },
  required,
});

specify('deleteFeatureImpactMetricsConfig', {
  route: `DELETE ${ofFeature}/{chartId}`,
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({ params: await chartPlace(world) }),
  again: 404,
});

describe('Saved charts of impact metrics', () => {
  const { service, world } = worldForEach();
  const listOf = async (path: string) => (await service.get(path)).body.configs;
  const pathOf = (name: string, project?: string) => `${paths.feature(name, project)}/impact-metrics/config`;
  const shown = { ...chart, displayName: 'orders', mode: 'write' };

  test('of the service and of a feature are there as sent, the oldest first, until they are replaced or removed', async () => {
    const { name } = await world.feature();
    for (const path of [ofService, pathOf(name)]) {
      const { body: first } = await service.post(path, chart);
      const { title: _, source: __, ...small } = chart;
      await nextMillisecond();
      const { body: second } = await service.post(path, { ...small, labelSelectors: {} });
      expect(first).toEqual({ ...shown, id: expect.any(String) });
      expect(await listOf(path)).toEqual([first, second]);
      const { body: replaced } = await service.post(path, { ...small, id: first.id, timeRange: 'hour' });
      const { title: ___, ...untitled } = first;
      expect(replaced).toEqual({ ...untitled, timeRange: 'hour' });
      expect((await service.call('DELETE', `${path}/${second.id}`)).status).toBe(204);
      expect(await listOf(path)).toEqual([replaced]);
    }
  });

  test("are saved from the requests of Unleash's admin UI 7.6.5", async () => {
    const { name } = await world.feature();
    const sent = { metricName: 'orders', timeRange: 'day', yAxisMin: 'auto', labelSelectors: {}, source: 'internal' };
    const bodies = [
      [ofService, { ...sent, aggregationMode: 'p50' }],
      [pathOf(name), { ...sent, aggregationMode: 'count', feature: name }],
    ] as const;
    for (const [path, body] of bodies) {
      expect(await service.post(path, body)).toMatchObject({ status: 200 });
      const { aggregationMode } = body;
      expect(await listOf(path)).toMatchObject([{ ...sent, aggregationMode, displayName: 'orders', mode: 'write' }]);
    }
  });

  test('make events, and none if nothing changes', async () => {
    const { name } = await world.feature();
    const change = async (path: string) => {
      const { body } = await service.post(path, chart);
      await service.post(path, body);
      await service.post(path, { ...body, title: 'All orders' });
      await service.call('DELETE', `${path}/${body.id}`);
    };
    const types = ['impact-metric-created', 'impact-metric-updated', 'impact-metric-deleted'];
    const events = await eventsAddedBy(service, name, () => change(pathOf(name)));
    expect(events.map(({ type, data, preData }) => [type, data?.title, preData?.title])).toEqual([
      [types[0], 'Orders of a week', undefined],
      [types[1], 'All orders', 'Orders of a week'],
      [types[2], undefined, 'All orders'],
    ]);
    await change(ofService);
    const { body } = await service.get(`/api/admin/search/events?type=IS_ANY_OF:${types.join(',')}&limit=3`);
    const sentences = body.events.toReversed().map(({ summary }: { summary: string }) => summary.replace(/^.*: /, ''));
    expect(sentences).toEqual([
      'Impact metric created **Orders of a week**',
      'Impact metric updated **All orders**',
      'Impact metric deleted **All orders**',
    ]);
  });

  test('are at most 20, and every one of these can be as large as the limits allow', async () => {
    const { name } = await world.feature();
    const values = Array.from({ length: 38 }, (_, index) => `${index}`.padEnd(100, '€'));
    const large = { ...chart, title: '€'.repeat(200), labelSelectors: { appName: values } };
    for (const path of [ofService, pathOf(name)]) {
      for (let count = 0; count < 20; count += 1) expect((await service.post(path, large)).status).toBe(200);
      expect(await service.post(path, chart)).toMatchObject({ status: 400, body: { message: /at most 20/ } });
      const [{ id }] = await listOf(path);
      expect((await service.post(path, { ...chart, id })).status).toBe(200);
    }
  });

  test('are refused with everything that is wrong', async () => {
    const { name } = await world.feature();
    const wrong = {
      ...{ metricName: '', timeRange: 'year', aggregationMode: 'p90', yAxisMin: 'one', source: 'external' },
      labelSelectors: { appName: 'shop', region: ['x'.repeat(101)] },
    };
    const values = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, 'x'));
    for (const path of [ofService, pathOf(name)]) {
      expect(problemPaths(await service.post(path, wrong)).toSorted()).toEqual(
        [
          ...['aggregationMode', 'labelSelectors.appName', 'labelSelectors.region.0', 'metricName'],
          ...['source', 'timeRange', 'yAxisMin'],
        ].toSorted(),
      );
      const tooMany = await service.post(path, { ...chart, labelSelectors: { appName: values } });
      expect(problemPaths(tooMany)).toEqual(['labelSelectors']);
      expect(await service.post(path, { ...chart, id: 'unknown' })).toMatchObject({ status: 404 });
    }
  });

  test('go with a feature to another project, stay in the archive unchanged, and are deleted with it', async () => {
    const [source, project] = [await world.project(), await world.project()];
    const { name } = await world.feature({ project: source });
    const { body } = await service.post(pathOf(name, source), chart);
    await service.post(`${paths.feature(name, source)}/changeProject`, { newProjectId: project });
    expect(await listOf(pathOf(name, project))).toEqual([body]);
    await service.call('DELETE', paths.feature(name, project));
    expect(await listOf(pathOf(name, project))).toEqual([body]);
    expect((await service.post(pathOf(name, project), chart)).status).toBe(404);
    await service.call('DELETE', paths.deleted(name));
    await world.ask('POST', `/api/admin/projects/${project}/features`, { name });
    expect(await listOf(pathOf(name, project))).toEqual([]);
  });

  test('change nothing that SDKs get', async () => {
    const { name } = await world.feature({ on: true });
    const token = await world.clientToken();
    const before = (await service.get('/api/client/features', { token })).body.features;
    await service.post(pathOf(name), chart);
    expect((await service.get('/api/client/features', { token })).body.features).toEqual(before);
  });
});
