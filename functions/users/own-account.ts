import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listOverrideGrants } from '../../lib/identity/access-flags/approval-gate.ts';
import { listGrants } from '../../lib/identity/permissions.ts';
import { loadProfile, loadRolesOfCaller, loadSelf } from '../../lib/people/profile.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { loadUiState } from '../../lib/people/ui-state.ts';
import { feedback } from '../../lib/people/ui-state-schema.ts';
import { pat, patInput, user } from '../../lib/people/user-schema.ts';
import { assertConfirmed } from '../../lib/sign-in/passwords/password-rules.ts';
import { changeOwnPassword } from '../../lib/sign-in/passwords/passwords.ts';
import { findSession } from '../../lib/sign-in/sessions.ts';
import { passwordText } from '../../lib/sign-in/sign-in-schema.ts';
import { loadWaysIn, takesPasswords } from '../../lib/sign-in/ways.ts';
import * as lib from '../../lib/tokens/personal-tokens.ts';
import { boolean, count, idText, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Users');

export const changeMyPassword = endpoint({
  route: 'POST /api/admin/user/change-password',
  summary: "Sets the caller's password, and ends their other sessions.",
  description:
    '`oldPassword` is the current password. The reply is 401 if it is wrong, 429 after too many wrong ones, and 403 for an admin token, which belongs to no user.',
  permission: 'NONE',
  throttle: { ratePerSecond: 10, burst: 20 },
  body: object({ password: passwordText, oldPassword: passwordText, confirmPassword: v.exactOptional(text) }),
  responses: { 200: null },
}).handle(async ({ request, caller, body, address, session }) => {
  assertConfirmed(body);
  await changeOwnPassword(request, caller, body, { address, session });
});

export const createPat = endpoint({
  route: 'POST /api/admin/user/tokens',
  summary: "Creates a personal access token, with the caller's permissions.",
  description:
    'Only this reply shows the secret. A token that was created with another token expires no later than that one. The reply is 403 for an admin token, which belongs to no user.',
  permission: 'NONE',
  body: patInput,
  responses: { 201: object({ ...pat.entries, secret: text }) },
  secret: true,
  errors: [409],
}).handle(({ request, caller, body }) => lib.createPat(request, caller, body));

export const deletePat = endpoint({
  route: 'DELETE /api/admin/user/tokens/{id}',
  summary: "Deletes one of the caller's personal access tokens.",
  description:
    'Processes that used it recently may accept it for a few more seconds. The reply is 403 for an admin token, which belongs to no user.',
  permission: 'NONE',
  params: object({ id: idText }),
  responses: { 200: null },
}).handle(({ request, caller, params }) => lib.deletePat(request, caller, params.id));

export const getMe = endpoint({
  route: 'GET /api/admin/user',
  summary: 'Returns the caller, their permissions, and their state in the admin UI.',
  description: 'Without a session, the reply is a 401 that lists the ways to sign in. The call extends the session.',
  permission: 'NONE',
  agents: 'allowed',
  waysIn: loadWaysIn,
  // Admin UIs call it with every page, which extends the session.
  rights: 'count',
  responses: {
    200: object({
      user: object({
        ...v.partial(v.object(user.entries)).entries,
        id: user.entries.id,
        activeSessions: v.exactOptional(count),
        deletedSessions: v.exactOptional(count),
      }),
      permissions: v.array(
        object({ permission: text, project: v.exactOptional(text), environment: v.exactOptional(text) }),
      ),
      feedback: v.array(feedback),
      splash: v.record(text, boolean),
    }),
  },
}).handle(async ({ request, caller, session: secret }) => {
  const [user, overriding, { feedback, splash }, session] = await Promise.all([
    loadSelf(request, caller),
    listOverrideGrants(request, caller),
    loadUiState(request, caller.id),
    secret === undefined ? undefined : findSession(request, secret),
  ]);
  const report = session?.userId === caller.id ? session.report : undefined;
  const permissions = [...listGrants(caller.rights), ...overriding];
  return { user: { ...user, ...report }, permissions, feedback, splash };
});

export const getPats = endpoint({
  route: 'GET /api/admin/user/tokens',
  summary: "Lists the caller's personal access tokens, without their secrets.",
  description: 'Each has its description, its expiry and the time of its last use.',
  permission: 'NONE',
  responses: { 200: object({ pats: v.array(pat) }) },
}).handle(async ({ request, caller }) => ({ pats: await lib.listPats(request, caller.id) }));

export const getProfile = endpoint({
  route: 'GET /api/admin/user/profile',
  summary: "Returns the caller's role, and the projects in which they have a role.",
  description: "It also has the caller's groups, and says whether they can change their password here.",
  permission: 'NONE',
  responses: {
    200: object({
      rootRole: role,
      projects: v.array(text),
      groups: v.array(text),
      features: v.array(object({})),
      subscriptions: v.array(text),
      canChangePassword: boolean,
    }),
  },
}).handle(async ({ request, caller }) => {
  const [profile, hasPasswords] = await Promise.all([loadProfile(request, caller), takesPasswords(request)]);
  return {
    ...profile,
    features: [],
    // No messages are sent.
    subscriptions: [],
    canChangePassword: hasPasswords && caller.id > 0,
  };
});

export const getUserRoles = endpoint({
  route: 'GET /api/admin/user/roles',
  summary: "Lists the caller's root role, and their roles in a project.",
  description: "Roles of the caller's groups are included. Without `projectId`, only the root role is listed.",
  permission: 'NONE',
  query: object({ projectId: v.exactOptional(text) }),
  responses: { 200: object({ version: v.literal(1), roles: v.array(role) }) },
}).handle(async ({ request, caller, query }) => ({
  version: 1,
  roles: await loadRolesOfCaller(request, caller, query.projectId),
}));
