import { specify } from '../../specifications/specify.ts';

specify('getConnectedEdges', { route: 'GET /api/admin/metrics/edges', may: 'any token', request: () => ({}) });
