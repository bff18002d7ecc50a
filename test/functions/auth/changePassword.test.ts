import { makeLink } from '../../../lib/sign-in/passwords/links.ts';
import { specify } from '../../specifications/specify.ts';

// What a link is good for is in resetUserPassword.test.ts.
specify('changePassword', {
  route: 'POST /auth/reset/password',
  unversioned: 'nothing that is read shows a password',
  may: 'anyone',
  request: async (world) => ({
    body: {
      token: (await makeLink(world.service.table, (await world.person()).username)).secret,
      password: 'Another-horse-8',
    },
  }),
  required: ['token', 'password'],
  again: 401,
  waits: 4,
});
