import { specify } from '../../specifications/specify.ts';

specify('registerClientMetrics', {
  route: 'POST /api/client/metrics',
  may: 'client tokens',
  request: async (world) => {
    const { name } = await world.deliveredFeature();
    const start = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000).toISOString();
    return {
      body: {
        appName: world.name('app'),
        instanceId: 'one',
        sdkVersion: 'unleash-node-sdk:6.12.1',
        bucket: { start, stop: start, toggles: { [name]: { yes: 3, no: 1, variants: { blue: 3 } } } },
      },
    };
  },
  required: ['appName'],
  bodyBytesMax: 1_048_576,
  takesGzip: true,
});
