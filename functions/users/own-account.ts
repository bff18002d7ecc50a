import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { listOverrideGrants } from '../../lib/identity/access-flags/approval-gate.ts';
import { listGrants } from '../../lib/identity/permissions.ts';
import { loadProfile, loadRolesOfCaller, loadSelf } from '../../lib/people/profile.ts';
import { role } from '../../lib/people/roles/role-schema.ts';
import { loadUiState } from '../../lib/people/ui-state.ts';
import { feedback } from '../../lib/people/ui-state-schema.ts';
import { pat, patDescription, user } from '../../lib/people/user-schema.ts';
import { assertConfirmed } from '../../lib/sign-in/passwords/confirmed.ts';
import { changeOwnPassword } from '../../lib/sign-in/passwords/passwords.ts';
import { findSession } from '../../lib/sign-in/sessions.ts';
import { passwordText } from '../../lib/sign-in/sign-in-schema.ts';
import { takesPasswords, waysIn } from '../../lib/sign-in/ways.ts';
import * as lib from '../../lib/tokens/personal-tokens.ts';
import { boolean, count, idText, moment, object, text } from '../../lib/values/primitives.ts';

const endpoint = endpointsOf('Users');

export const changeMyPassword = endpoint({
  route: 'POST /api/admin/user/change-password',
  summary: 'Sets the password of the caller; their other sessions end.',
  description:
    '`oldPassword` is the present one; a wrong one is a 401, and too many of them are a 429. The holder of an admin token is no user, which is a 403.',
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
  summary: 'Creates a personal access token, which acts as the caller.',
  description:
    'The secret is shown in this reply only. Made by another token, it ends with that one at the latest. The holder of ' +
    'an admin token is no user, which is a 403.',
  permission: 'NONE',
  body: object({ description: patDescription, expiresAt: moment }),
  responses: { 201: object({ ...pat.entries, secret: text }) },
  secret: true,
  errors: [409],
}).handle(({ request, caller, body }) => lib.createPat(request, caller, body));

export const deletePat = endpoint({
  route: 'DELETE /api/admin/user/tokens/{id}',
  summary: 'Deletes a personal access token of the caller.',
  description:
    'Processes that have seen it lately may accept it for a few seconds more. The holder of an admin token is no user, which is a 403.',
  permission: 'NONE',
  params: object({ id: idText }),
  responses: { 200: null },
}).handle(({ request, caller, params }) => lib.deletePat(request, caller, params.id));

export const getMe = endpoint({
  route: 'GET /api/admin/user',
  summary: 'Returns the caller, their permissions, and their state in the admin UI.',
  description: 'The 401 for a caller without a session lists the ways to sign in. The call prolongs the session.',
  permission: 'NONE',
  waysIn,
  // An admin UI asks for it with every page, which prolongs the session.
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
  summary: 'Lists the personal access tokens of the caller, without their secrets.',
  description: 'Each has its description, its expiry and the time of its last use.',
  permission: 'NONE',
  responses: { 200: object({ pats: v.array(pat) }) },
}).handle(async ({ request, caller }) => ({ pats: await lib.listPats(request, caller.id) }));

export const getProfile = endpoint({
  route: 'GET /api/admin/user/profile',
  summary: 'Returns the role of the caller, and the projects in which they have one.',
  description: 'It also names the groups of the caller, and says whether they can change their password here.',
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
  summary: 'Lists the roles of the caller: their root role, and their role in a project.',
  description: 'They include those of the groups of the caller. Without `projectId`, it lists the root role alone.',
  permission: 'NONE',
  query: object({ projectId: v.exactOptional(text) }),
  responses: { 200: object({ version: v.literal(1), roles: v.array(role) }) },
}).handle(async ({ request, caller, query }) => ({
  version: 1,
  roles: await loadRolesOfCaller(request, caller, query.projectId),
}));
