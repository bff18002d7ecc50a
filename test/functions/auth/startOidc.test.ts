import { oidcProviderSettings } from '../../harness/oidc-provider.ts';
import { specify } from '../../specifications/specify.ts';

// What comes of it is in finishOidc.test.ts.
specify('startOidc', {
  route: 'GET /auth/oidc/login',
  may: 'anyone',
  request: async (world) => {
    await world.ask('POST', '/api/admin/auth/oidc/settings', await oidcProviderSettings());
    return {};
  },
  again: 'once more',
  waits: 2,
});
