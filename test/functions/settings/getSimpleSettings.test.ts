import { specify } from '../../specifications/specify.ts';

specify('getSimpleSettings', {
  route: 'GET /api/admin/auth/simple/settings',
  may: 'any token',
  request: () => ({}),
});
