import { approvalGate } from '../../people/rights/approval-gate.ts';
import { callerOf, permitted } from '../../people/rights/caller.ts';
import { CallerAuthority } from '../../people/rights/caller-authority.ts';
import { hiddenProjects } from '../../people/rights/project-marks.ts';
import { type Declaration, isOfSdks, permissionsOf } from '../declaration.ts';
import { authenticationRequired } from './authenticate.ts';
import type { Middleware } from './state.ts';

/**
 * Answers 403 to a caller who lacks the permission, before anything about the request is looked at. Projects that the
 * caller must not know of do not exist for them, to read or to change, and what needs approval they do not change
 * directly. A change of access rights is carried out only while the caller has the rights that it rests on.
 */
export function authorize(declaration: Declaration): Middleware {
  const { permission, permissionBy } = declaration;
  const anyOf = permissionsOf(declaration);
  return {
    before: async function authorizeBefore({ event, context }) {
      const { token, credential, request } = context;
      if (token === undefined || credential === undefined || isOfSdks(declaration)) return;
      const { projectId, environment } = event.pathParameters ?? {};
      const authority = new CallerAuthority(request, token, credential, authenticationRequired);
      context.request = { ...request, authority };
      const calling = permission === undefined ? undefined : authority.caller();
      const [caller, hidden, gate] = await Promise.all([
        calling,
        hiddenProjects(request, token, projectId),
        approvalGate(request, () => calling ?? callerOf(request, token)),
      ]);
      if (permission !== undefined) {
        if (caller === undefined) throw authenticationRequired();
        context.caller = caller;
        if (anyOf.length > 0 && permissionBy === undefined) permitted(caller, anyOf, projectId, environment);
      }
      if (gate !== undefined) context.request = { ...context.request, gate };
      if (hidden.size > 0) context.request = { ...context.request, hiddenProjects: hidden };
    },
  };
}
