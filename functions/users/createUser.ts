import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { boolean, object, text, textOfLength } from '../../lib/schemas/primitives.ts';
import { changedUser } from '../../lib/schemas/user.ts';
import { createUser } from '../../lib/users/administer-users.ts';
import { emailAddress, namedRootRole, rootRoleId, username } from '../../lib/users/user-fields.ts';
import { userView } from '../../lib/users/user-views.ts';

export const handler = endpoint({
  method: 'POST',
  path: '/api/admin/user-admin',
  group: 'Users',
  summary: 'Creates a user.',
  description:
    'A user name or an e-mail address is required. Nobody signs in with a password yet, so that one that is sent is ' +
    'forgotten; the user gets a token by `npm run token`. No mail is sent. The role is answered as it was sent.',
  permission: 'ADMIN',
  body: object({
    username: v.exactOptional(username),
    email: v.exactOptional(emailAddress),
    name: v.exactOptional(textOfLength(0, 255)),
    rootRole: namedRootRole,
    password: v.exactOptional(text),
    sendEmail: v.exactOptional(boolean),
  }),
  responses: { 201: changedUser },
  etag: true,
  errors: [409],
}).handle(
  ({ table, caller, body: { username, email, name, rootRole } }) =>
    createUser(table, caller, { username, email, name, rootRole: rootRoleId(rootRole) }),
  (created, { body }) => ({
    headers: { location: `/api/admin/user-admin/${created.id}` },
    body: { ...userView(created), rootRole: body.rootRole, emailSent: false },
  }),
);
