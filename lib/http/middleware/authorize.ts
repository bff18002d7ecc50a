import { assertMay, callerOf } from '../../users/caller.ts';
import { type Declaration, permissionsOf } from '../declaration.ts';
import { authenticationRequired } from './authenticate.ts';
import type { Middleware } from './state.ts';

/** Answers 403 to a caller who lacks the permission, before anything about the request is looked at. */
export function authorize(declaration: Declaration): Middleware {
  const { permission, authorizedBy } = declaration;
  const anyOf = permissionsOf(declaration);
  return {
    before: async function authorizeBefore({ event, context }) {
      const { token, table } = context;
      if (token === undefined || permission === undefined) return;
      const caller = await callerOf(table, token);
      if (caller === undefined) throw authenticationRequired();
      context.caller = caller;
      if (anyOf.length === 0 || authorizedBy === 'handler') return;
      const { projectId, environment } = event.pathParameters ?? {};
      assertMay(caller, anyOf, projectId, environment);
    },
  };
}
