import { specify } from '../../specifications/specify.ts';

specify('getUserAccessRequests', {
  route: 'GET /api/admin/user-access-requests',
  may: 'any token',
  request: () => ({}),
});
