import { saml } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('getSamlSettings', {
  route: 'GET /api/admin/auth/saml/settings',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: async (world) => {
    await world.ask('POST', '/api/admin/auth/saml/settings', saml('https://idp.example.com'));
    return {};
  },
});
