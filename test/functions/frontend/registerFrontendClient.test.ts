import { ofReports, registration } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('registerFrontendClient', {
  route: 'POST /api/frontend/client/register',
  may: 'frontend tokens',
  request: async (world) => ({ body: registration(world) }),
  ...ofReports,
});
