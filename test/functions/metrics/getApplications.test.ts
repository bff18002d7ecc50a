import { specify } from '../../specifications/specify.ts';

specify('getApplications', {
  route: 'GET /api/admin/metrics/applications',
  may: 'any token',
  request: () => ({ query: { query: 'app', offset: 0, limit: 10, sortBy: 'appName', sortOrder: 'asc' } }),
});
