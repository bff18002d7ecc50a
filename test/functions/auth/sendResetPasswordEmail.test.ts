import { specify } from '../../specifications/specify.ts';

specify('sendResetPasswordEmail', {
  route: 'POST /auth/reset/password-email',
  may: 'anyone',
  request: (world) => ({ body: { email: `${world.name('user')}@example.com` } }),
  required: ['email'],
  differs: 'at most three mails an hour to an address, and a reply that takes as long where nobody has it',
});
