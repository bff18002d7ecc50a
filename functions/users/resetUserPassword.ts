import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/schemas/primitives.ts';
import { makeLink } from '../../lib/sign-in/links.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/user-admin/reset-password',
  group: 'Users',
  summary: 'Makes a link by which a user chooses another password.',
  description:
    'The `id` is their user name or e-mail address. The link works once, for a day, and replaces an earlier ' +
    'one. No mail is sent: pass the link on yourself.',
  permission: 'ADMIN',
  body: object({ id: text }),
  responses: { 200: object({ resetPasswordUrl: text }) },
  secret: true,
  errors: [404],
}).handle(
  ({ table, body }) => makeLink(table, body.id),
  (link, { origin }) => ({ body: { resetPasswordUrl: `${origin}/reset-password?token=${link}` } }),
);
