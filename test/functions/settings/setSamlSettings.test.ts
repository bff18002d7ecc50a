import { saml } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('setSamlSettings', {
  route: 'POST /api/admin/auth/saml/settings',
  may: ['Admin'],
  needs: ['ADMIN'],
  request: (world) => ({ body: saml(`https://${world.name('idp')}.example.com`) }),
  others: {
    'in place of others': async (world) => {
      await world.ask('POST', '/api/admin/auth/saml/settings', saml('https://idp.example.com'));
      return { body: saml(`https://${world.name('idp')}.example.com`) };
    },
  },
  required: ['entityId', 'signOnUrl', 'certificate'],
});
