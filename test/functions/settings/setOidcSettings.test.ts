import { oidc } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('setOidcSettings', {
  route: 'POST /api/admin/auth/oidc/settings',
  may: ['Admin'],
  needs: ['ADMIN', 'UPDATE_AUTH_CONFIGURATION'],
  request: (world) => ({ body: oidc(world.name('client')) }),
  required: ['clientId', 'secret'],
});
