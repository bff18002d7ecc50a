import { specify } from '../../specifications/specify.ts';

specify('getReleasePlanTemplates', {
  route: 'GET /api/admin/release-plan-templates',
  may: 'any token',
  request: () => ({}),
});
