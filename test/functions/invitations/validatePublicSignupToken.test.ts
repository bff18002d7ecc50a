import { specify } from '../../specifications/specify.ts';

specify('validatePublicSignupToken', {
  route: 'GET /invite/{token}/validate',
  may: 'anyone',
  request: async (world) => ({ params: { token: await world.invitation() } }),
});
