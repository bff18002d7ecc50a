import { specify } from '../../specifications/specify.ts';

specify('getTrafficBundles', { route: 'GET /api/instance/trafficBundles', may: 'any token', request: () => ({}) });
