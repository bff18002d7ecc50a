import { ofReports, registration } from '../../specifications/bodies.ts';
import { specify } from '../../specifications/specify.ts';

specify('registerClientApplication', {
  route: 'POST /api/client/register',
  may: 'client tokens',
  request: async (world) => ({ body: registration(world) }),
  ...ofReports,
});
