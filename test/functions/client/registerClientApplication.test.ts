import { specify } from '../../specifications/specify.ts';

specify('registerClientApplication', {
  route: 'POST /api/client/register',
  may: 'client tokens',
  request: async (world) => ({
    body: {
      appName: world.name('app'),
      instanceId: 'one',
      sdkVersion: 'unleash-node-sdk:6.12.1',
      strategies: ['default', 'flexibleRollout'],
      started: '2026-11-22T09:00:00.000000123Z',
      interval: 15_000,
    },
  }),
  required: ['appName'],
  bodyBytesMax: 1_048_576,
  takesGzip: true,
});
