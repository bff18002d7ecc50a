import { specify } from '../../specifications/specify.ts';

specify('getConnectedEdges', { route: 'GET /api/admin/metrics/edges', may: 'any token', request: () => ({}) });

specify('getLicenseCheck', { route: 'GET /api/admin/license/check', may: 'any token', request: () => ({}) });

specify('getLicensedUsers', { route: 'GET /api/admin/licensed-users', may: 'any token', request: () => ({}) });

specify('getTrafficBundles', { route: 'GET /api/instance/trafficBundles', may: 'any token', request: () => ({}) });
