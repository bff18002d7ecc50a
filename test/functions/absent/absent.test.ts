import { specify } from '../../specifications/specify.ts';

specify('getConnectedEdges', { route: 'GET /api/admin/metrics/edges', may: 'any token', request: () => ({}) });

specify('getInsights', {
  route: 'GET /api/admin/insights',
  may: 'any token',
  request: () => ({ query: { from: '2026-10-01', to: '2026-11-01' } }),
});

specify('getLicenseCheck', { route: 'GET /api/admin/license/check', may: 'any token', request: () => ({}) });

specify('getLicensedUsers', { route: 'GET /api/admin/licensed-users', may: 'any token', request: () => ({}) });

specify('getTrafficBundles', { route: 'GET /api/instance/trafficBundles', may: 'any token', request: () => ({}) });
