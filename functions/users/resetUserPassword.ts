import { endpoint } from '../../lib/http/endpoint.ts';
import { object, text } from '../../lib/schemas/primitives.ts';
import { makeLink } from '../../lib/sign-in/links.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/user-admin/reset-password',
  group: 'Users',
  summary: 'Makes a link by which a user chooses another password.',
  description:
    'The `id` is their user name or e-mail address. The link is good once, for a day, and takes the place of an earlier ' +
    'one. Nothing is sent: whoever asks for it hands it on.',
  permission: 'ADMIN',
  body: object({ id: text }),
  responses: { 200: object({ resetPasswordUrl: text }) },
  secret: true,
  errors: [404],
}).handle(
  ({ table, body }) => makeLink(table, body.id),
  (link, { origin }) => ({ body: { resetPasswordUrl: `${origin}/reset-password?token=${link}` } }),
);
