import { specify } from '../../specifications/specify.ts';

specify('sendResetPasswordEmail', {
  route: 'POST /auth/reset/password-email',
  may: 'anyone',
  request: (world) => ({ body: { email: `${world.name('user')}@example.com` } }),
  required: ['email'],
  differs: 'no mail is sent; an administrator makes the link',
});
