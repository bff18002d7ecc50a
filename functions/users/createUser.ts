import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { requireRoles } from '../../lib/people/roles/require-roles.ts';
import { emailAddressOrNone, namedRootRole, rootRoleId, username } from '../../lib/people/user-fields.ts';
import { changedUser } from '../../lib/people/user-schema.ts';
import { userView } from '../../lib/people/user-views.ts';
import { createUserWhoSignsIn } from '../../lib/sign-in/new-user.ts';
import { firstLinkUrl, mailWelcome } from '../../lib/sign-in/passwords/mails.ts';
import { passwordText } from '../../lib/sign-in/passwords/password-schema.ts';
import { boolean, object, textOfLength } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'POST /api/admin/user-admin',
  group: 'Users',
  summary: 'Creates a user.',
  description:
    'A user name or an e-mail address is required. The user signs in with the password, or chooses one by `inviteLink`, ' +
    'which works once, for a week. Where a sender of mails is configured, the user gets it by mail, unless `sendEmail` is ' +
    'false; `emailSent` says whether they did. The role is answered as it was sent.',
  permission: 'ADMIN',
  body: object({
    username: v.exactOptional(username),
    email: v.exactOptional(emailAddressOrNone),
    name: v.exactOptional(textOfLength(0, 255)),
    rootRole: namedRootRole,
    password: v.exactOptional(passwordText),
    sendEmail: v.exactOptional(boolean),
  }),
  responses: { 201: changedUser },
  etag: true,
  secret: true,
  sendsMail: true,
  errors: [409],
}).handle(
  async ({ request, caller, origin, body: { password, rootRole, sendEmail = true, ...fields } }) => {
    const publicUrl = requirePublicUrl(origin);
    const role = rootRoleId(rootRole);
    await requireRoles(request, 'root', [{ id: role, path: 'rootRole' }]);
    const { value, ...created } = await createUserWhoSignsIn(request, caller, { ...fields, rootRole: role }, password);
    const inviteLink = firstLinkUrl(publicUrl, value.link);
    const emailSent = sendEmail && (await mailWelcome(request, value.user, inviteLink));
    return { ...created, value: { user: value.user, inviteLink, emailSent } };
  },
  ({ user, inviteLink, emailSent }, { body }) => ({
    headers: { location: `/api/admin/user-admin/${user.id}` },
    body: {
      ...userView(user),
      rootRole: body.rootRole,
      inviteLink,
      emailSent,
    },
  }),
);
