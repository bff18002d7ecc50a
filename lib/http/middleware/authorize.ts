import { assertMay, callerOf } from '../../users/caller.ts';
import type { Declaration } from '../declaration.ts';
import { authenticationRequired } from './authenticate.ts';
import type { Middleware } from './state.ts';

/** Answers 403 to whoever lacks the permission, before anything about the request is looked at. */
export function authorize({ permission, authorizedBy }: Declaration): Middleware {
  const anyOf = permission === undefined ? [] : [permission].flat();
  return {
    before: async function authorizeBefore({ event, context }) {
      const { token, table } = context;
      if (token === undefined || anyOf.length === 0) return;
      const caller = await callerOf(table, token);
      if (caller === undefined) throw authenticationRequired();
      context.caller = caller;
      if (authorizedBy !== 'handler') assertMay(caller, anyOf, event.pathParameters?.projectId);
    },
  };
}
