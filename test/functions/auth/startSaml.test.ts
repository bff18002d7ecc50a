import { samlProviderSettings } from '../../harness/saml-provider.ts';
import { specify } from '../../specifications/specify.ts';

// What comes of it is in finishSaml.test.ts.
specify('startSaml', {
  route: 'GET /auth/saml/login',
  may: 'anyone',
  request: async (world) => {
    await world.ask('POST', '/api/admin/auth/saml/settings', samlProviderSettings);
    return {};
  },
  again: 'once more',
  waits: 2,
});
