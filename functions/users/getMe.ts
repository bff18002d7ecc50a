import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { selfView } from '../../lib/people/profile.ts';
import { grantsByOverride } from '../../lib/people/rights/approval-gate.ts';
import { grantsOf } from '../../lib/people/rights/permissions.ts';
import { uiStateOf } from '../../lib/people/ui-state.ts';
import { feedback } from '../../lib/people/ui-state-schema.ts';
import { user } from '../../lib/people/user-schema.ts';
import { findSession } from '../../lib/sign-in/sessions.ts';
import { waysIn } from '../../lib/sign-in/ways.ts';
import { boolean, count, object, text } from '../../lib/values/primitives.ts';

export const handler = endpoint({
  route: 'GET /api/admin/user',
  group: 'Users',
  summary: 'Returns the caller, their permissions, and their state in the admin UI.',
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
    selfView(request, caller),
    grantsByOverride(request, caller),
    uiStateOf(request, caller.id),
    secret === undefined ? undefined : findSession(request, secret),
  ]);
  const report = session?.userId === caller.id ? session.report : undefined;
  const permissions = [...grantsOf(caller.rights), ...overriding];
  return { user: { ...user, ...report }, permissions, feedback, splash };
});
