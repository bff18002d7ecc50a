import { specify } from '../../specifications/specify.ts';

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
