import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { makeLink } from '../../lib/sign-in/passwords/links.ts';
import { mailReset, resetLinkUrl } from '../../lib/sign-in/passwords/mails.ts';
import { object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/user-admin/reset-password',
  group: 'Users',
  summary: 'Creates a password reset link for a user.',
  description:
    'The `id` is their user name or e-mail address. The link works once, for a day, and replaces an earlier ' +
    'one. It is mailed to the user where a sender of mails is configured; pass it on yourself otherwise.',
  permission: 'ADMIN',
  body: object({ id: text }),
  responses: { 200: object({ resetPasswordUrl: text }) },
  secret: true,
  sendsMail: true,
  errors: [404],
}).handle(async ({ request, body, origin }) => {
  const publicUrl = requirePublicUrl(origin);
  const { user, secret } = await makeLink(request, body.id);
  const resetPasswordUrl = resetLinkUrl(publicUrl, secret);
  await mailReset(request, user, resetPasswordUrl);
  return { resetPasswordUrl };
});
