import * as v from 'valibot';
import { csvOrJson } from '../../lib/http/content-reply.ts';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { requirePublicUrl } from '../../lib/http/public-url.ts';
import { isServiceAccount } from '../../lib/identity/accounts.ts';
import { isRootRole, listRoles } from '../../lib/identity/roles.ts';
import { users } from '../../lib/identity/users.ts';
import { userViewOf } from '../../lib/people/account-views.ts';
import * as lib from '../../lib/people/administer-users.ts';
import { accountPath, permissionOverview, permissionPlace } from '../../lib/people/rights/access-overview-schema.ts';
import { loadPermissionOverview } from '../../lib/people/rights/overview.ts';
import { requireRoles } from '../../lib/people/roles/require-roles.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { emailAddressOrNone, personName, rootRoleIdOf, rootRoleOrId, username } from '../../lib/people/user-fields.ts';
import { changedUser, user } from '../../lib/people/user-schema.ts';
import { formatHistory, listHistory } from '../../lib/sign-in/history.ts';
import { makeLink } from '../../lib/sign-in/passwords/links.ts';
import { firstLinkUrl, mailReset, mailWelcome, resetLinkUrl } from '../../lib/sign-in/passwords/mails.ts';
import { assertConfirmed, assertStrong } from '../../lib/sign-in/passwords/password-rules.ts';
import * as passwords from '../../lib/sign-in/passwords/passwords.ts';
import { loginEvent, newPassword, passwordText } from '../../lib/sign-in/sign-in-schema.ts';
import {
  countAdmins,
  createUserWhoSignsIn,
  deleteManagedUsers,
  deleteUsers,
  deleteUserWhoSignsIn,
  listInactive,
  updateUserWhoSignsIn,
} from '../../lib/sign-in/users-who-sign-in.ts';
import { searchText } from '../../lib/values/filter-schema.ts';
import {
  boolean,
  count,
  id,
  idText,
  integer,
  object,
  positiveIntegerText,
  text,
  timestamp,
} from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Users');

export const changeUserPassword = endpoint({
  route: 'POST /api/admin/user-admin/{id}/change-password',
  summary: "Sets the password of a user, and ends all their sessions except the caller's.",
  description:
    'The reply is 400, and names every broken rule, if the password breaks the rules. `POST /api/admin/user-admin/reset-password` creates a link with which users choose a password themselves.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  body: newPassword,
  responses: { 200: null },
}).handle(async ({ request, caller, params, body, session }) => {
  assertConfirmed(body);
  await passwords.changeUserPassword(request, caller, params.id, body.password, session);
});

export const createUser = endpoint({
  route: 'POST /api/admin/user-admin',
  summary: 'Creates a user.',
  description:
    'A user name or an e-mail address is required. The user signs in with the password, or chooses one with `inviteLink`, which works once within a week. If the service can send mails, it mails the link to the user unless `sendEmail` is false; `emailSent` says whether it did. The reply has the role in the form of the request.',
  permission: 'ADMIN',
  body: object({
    username: v.exactOptional(username),
    email: v.exactOptional(emailAddressOrNone),
    name: v.exactOptional(personName),
    rootRole: rootRoleOrId,
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
    const role = rootRoleIdOf(rootRole);
    await requireRoles(request, 'root', [{ id: role, path: 'rootRole' }]);
    const { value, ...created } = await createUserWhoSignsIn(request, caller, { ...fields, rootRole: role }, password);
    const inviteLink = firstLinkUrl(publicUrl, value.link);
    const emailSent = sendEmail && (await mailWelcome(request, value.user, inviteLink));
    return { ...created, value: { user: value.user, inviteLink, emailSent } };
  },
  ({ user, inviteLink, emailSent }, { body }) => ({
    headers: { location: `/api/admin/user-admin/${user.id}` },
    body: {
      ...userViewOf(user),
      rootRole: body.rootRole,
      inviteLink,
      emailSent,
    },
  }),
);

export const deleteInactiveUsers = endpoint({
  route: 'POST /api/admin/user-admin/inactive/delete',
  summary: 'Deletes users with their tokens and sessions, except the last Admin.',
  description: 'The caller and users who no longer exist are skipped.',
  permission: 'ADMIN',
  body: object({ ids: v.pipe(v.array(id), v.maxLength(100)) }),
  responses: { 200: null },
}).handle(({ request, caller, body }) => deleteUsers(request, caller, body.ids));

export const deleteScimUsers = endpoint({
  route: 'DELETE /api/admin/user-admin/scim-users',
  summary: 'Deletes the users that a directory manages by SCIM, with their tokens and sessions.',
  description:
    'The caller and the last Admin stay. The directory may create the others again, without their roles. The reply is 503 if some remain after 15 seconds: send the request again.',
  permission: 'ADMIN',
  responses: { 200: null },
}).handle(({ request, caller }) => deleteManagedUsers(request, caller));

export const deleteUser = endpoint({
  route: 'DELETE /api/admin/user-admin/{id}',
  summary: 'Deletes a user with their tokens and sessions. The last Admin cannot be deleted.',
  description: 'Their tokens and sessions may be accepted for five more seconds.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  responses: { 200: null },
  etag: 'checked',
}).handle(({ request, caller, params }) => deleteUserWhoSignsIn(request, caller, params.id));

export const getAdminCount = endpoint({
  route: 'GET /api/admin/user-admin/admin-count',
  summary: 'Counts the Admins with and without a password.',
  description: '`service` counts the service accounts among them.',
  permission: 'ADMIN',
  responses: { 200: object({ password: count, noPassword: count, service: count }) },
}).handle(({ request }) => countAdmins(request));

export const getInactiveUsers = endpoint({
  route: 'GET /api/admin/user-admin/inactive',
  summary: 'Lists the users who have not signed in for 180 days, and have no valid token or session.',
  description: '`POST …/inactive/delete` deletes them.',
  permission: 'ADMIN',
  responses: {
    200: object({
      version: v.literal(1),
      inactiveUsers: v.array(
        object({
          id: integer,
          name: v.exactOptional(text),
          username: v.exactOptional(text),
          email: v.exactOptional(text),
          seenAt: v.nullable(timestamp),
          createdAt: timestamp,
          patSeenAt: v.nullable(timestamp),
        }),
      ),
    }),
  },
}).handle(async ({ request }) => ({
  version: 1,
  inactiveUsers: (await listInactive(request)).map(({ id, name, username, email, seenAt = null, createdAt }) => ({
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    seenAt,
    createdAt,
    patSeenAt: null,
  })),
}));

export const getLogins = endpoint({
  route: 'GET /api/admin/logins',
  summary: 'Lists successful and failed sign-ins, newest first.',
  description:
    'Entries are kept for 90 days: all successful sign-ins, and up to 250 failed ones per way to sign in and 15 minutes. A user name that does not exist is omitted, since it may be a mistyped password. The reply has at most 2,000 entries; `before` selects older ones. With `Accept: text/csv` the reply is CSV.',
  permission: 'READ_LOGS',
  csv: true,
  query: object({ limit: v.exactOptional(positiveIntegerText), before: v.exactOptional(positiveIntegerText) }),
  responses: { 200: object({ events: v.array(loginEvent) }) },
}).handle(
  ({ request, query }) => listHistory(request, query),
  (events, { header }) => csvOrJson(header('accept'), () => formatHistory(events), { events }),
);

export const getUser = endpoint({
  route: 'GET /api/admin/user-admin/{id}',
  summary: 'Returns a user.',
  description: 'It includes the root role and the time of the last sign-in.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  responses: { 200: user },
  etag: true,
}).handle(
  // A sign-in changes the reply, but not the version.
  async ({ request, params }) => ({ ...(await users.load(request, params.id)), shown: true }),
  (account) => ({ body: userViewOf(account) }),
);

export const getUserPermissions = endpoint({
  route: 'GET /api/admin/user-admin/{id}/permissions',
  summary: 'Lists the permissions of a user, in the project and environment of the query.',
  description: 'They come from the root role, from roles in projects and from groups.',
  permission: 'ADMIN',
  params: accountPath,
  query: permissionPlace,
  responses: { 200: permissionOverview },
}).handle(({ request, params, query }) =>
  loadPermissionOverview(request, params.id, query, (account) => !isServiceAccount(account)),
);

export const getUsers = endpoint({
  route: 'GET /api/admin/user-admin',
  summary: 'Lists all users, and the roles that they can have.',
  description: 'Each has a root role and the time of the last sign-in.',
  permission: 'ADMIN',
  responses: {
    200: object({ users: v.array(object({ ...user.entries, inviteLink: text })), rootRoles: v.array(role) }),
  },
}).handle(async ({ request }) => {
  const [all, roles] = await Promise.all([users.list(request), listRoles(request)]);
  return {
    // Only the hashes of links are stored.
    users: all.map((user) => ({ ...userViewOf(user), inviteLink: '' })),
    rootRoles: roles.filter(isRootRole),
  };
});

export const resetUserPassword = endpoint({
  route: 'POST /api/admin/user-admin/reset-password',
  summary: 'Creates a password reset link for a user.',
  description:
    '`id` is the user name or e-mail address. The link works once within a day, and replaces an earlier link. If the service can send mails, it mails the link to the user. Otherwise, pass it on yourself.',
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

export const searchUsers = endpoint({
  route: 'GET /api/admin/user-admin/search',
  summary: 'Finds users by the beginning of their user name, name or e-mail address.',
  description: 'It ignores case. With fewer than two characters, it finds nobody.',
  permission: 'ADMIN',
  query: object({ q: v.optional(searchText, '') }),
  responses: { 200: v.array(user) },
}).handle(async ({ request, query }) => (await lib.searchUsers(request, query.q)).map(userViewOf));

export const updateUser = endpoint({
  route: 'PUT /api/admin/user-admin/{id}',
  summary: 'Updates the name, e-mail address and role of a user. The last Admin cannot get another role.',
  description:
    'If the e-mail address changes, links to choose a password become invalid. While SCIM is on, the name and the address of a user with a `scimId` cannot be changed: the reply is 403.',
  permission: 'ADMIN',
  params: object({ id: idText }),
  body: object({
    email: v.exactOptional(emailAddressOrNone),
    name: v.exactOptional(personName),
    rootRole: v.exactOptional(rootRoleOrId),
  }),
  responses: { 200: changedUser },
  etag: true,
  errors: [404, 409],
}).handle(
  async ({ request, caller, params, body: { email, name, rootRole } }) => {
    const role = rootRole === undefined ? undefined : rootRoleIdOf(rootRole);
    if (role !== undefined) await requireRoles(request, 'root', [{ id: role, path: 'rootRole' }]);
    return updateUserWhoSignsIn(request, caller, params.id, { email, name, rootRole: role });
  },
  (updated, { body }) => ({ body: { ...userViewOf(updated), rootRole: body.rootRole ?? updated.rootRole } }),
);

export const validateUserPassword = endpoint({
  route: 'POST /api/admin/user-admin/validate-password',
  summary: 'Checks whether a password follows the rules.',
  description: 'The reply names every broken rule.',
  rights: 'none',
  body: newPassword,
  responses: { 200: null },
}).handle(async ({ body }) => assertStrong(body.password));
