import { assertMay, callerOf, forgetUser } from '../../users/caller.ts';
import { hiddenProjects } from '../../users/private-projects.ts';
import { type Declaration, isGrant, isMutation, isOfSdks, permissionsOf } from '../declaration.ts';
import { authenticationRequired } from './authenticate.ts';
import type { Middleware } from './state.ts';

/**
 * Answers 403 to a caller who lacks the permission, before anything about the request is looked at. Of projects that the
 * caller must not know of, what only reads leaves out all that is in them; for what changes something, what it names of
 * them does not exist.
 */
export function authorize(declaration: Declaration): Middleware {
  const { permission, authorizedBy } = declaration;
  const anyOf = permissionsOf(declaration);
  return {
    before: async function authorizeBefore({ event, context }) {
      const { token, table } = context;
      if (token === undefined || isOfSdks(declaration)) return;
      const { projectId, environment } = event.pathParameters ?? {};
      // A right that was taken away seconds ago gives nobody a way in.
      if (anyOf.length > 0 && isGrant(declaration) && token.userId !== undefined) forgetUser(table, token.userId);
      const [caller, hidden] = await Promise.all([
        permission === undefined ? undefined : callerOf(table, token),
        hiddenProjects(table, token, projectId),
      ]);
      if (permission !== undefined) {
        if (caller === undefined) throw authenticationRequired();
        context.caller = caller;
        if (anyOf.length > 0 && authorizedBy !== 'handler') assertMay(caller, anyOf, projectId, environment);
      }
      if (hidden.size === 0) return;
      context.table = {
        ...table,
        unseenProjects: hidden,
        ...(!isMutation(declaration) && { hiddenProjects: hidden }),
      };
    },
  };
}
