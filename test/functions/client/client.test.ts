import { expect } from 'vitest';
import { ofReports, registration, usageReport } from '../../specifications/bodies.ts';
import { specify, test } from '../../specifications/specify.ts';

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
      },
    };
  },

  bodyBytesMax: 1_048_576,
  takesGzip: true,
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
  ...ofReports,
});
