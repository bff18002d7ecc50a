import { specify } from '../../specifications/specify.ts';

specify('getInsights', {
  route: 'GET /api/admin/insights',
  may: 'any token',
  request: () => ({ query: { from: '2026-10-01', to: '2026-11-01' } }),
});
