import { specify } from '../../specifications/specify.ts';

specify('searchChangeRequests', {
  route: 'GET /api/admin/search/change-requests',
  may: 'any token',
  request: () => ({}),
});
