import { specify } from '../../specifications/specify.ts';

specify('getOutdatedSdks', {
  route: 'GET /api/admin/metrics/sdks/outdated',
  may: 'any token',
  request: () => ({}),
});
