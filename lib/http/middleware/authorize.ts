import { notFound } from '../../errors.ts';
import { loadHiddenProjects } from '../../identity/access-flags/access-flags.ts';
import { loadApprovalGate } from '../../identity/access-flags/approval-gate.ts';
import { assertMayAll, loadCaller, type NeededPermission, requirePermission } from '../../identity/caller.ts';
import { CallerAuthority } from '../../identity/caller-authority.ts';
import { isHidden } from '../../request.ts';
import { type Declaration, type Input, isOfSdks, permissionsOf, type WrittenDeclaration } from '../declaration.ts';
import { authenticationRequired } from './authenticate.ts';
import type { RequestCheck } from './state.ts';

/**
 * Answers 403 to a caller who lacks the permission, before anything about the request is looked at. Projects that the
 * caller must not know of do not exist for them, to read or to change, and what needs approval they do not change
 * directly. A change of access rights is carried out only while the caller has the rights that it rests on.
 */
export function authorize(declaration: Declaration): RequestCheck {
  const { permission, permissionBy, effectsOf } = declaration;
  const anyOf = permissionsOf(declaration);
  return async ({ event, context }) => {
    const { token, credential, service } = context;
    if (token === undefined || credential === undefined || isOfSdks(declaration)) {
      // An SDK gets what its token is for, of whatever project; without a token, an operation looks at no project.
      context.request = service;
      return;
    }
    const { projectId, environment } = event.pathParameters ?? {};
    const authority = new CallerAuthority(service, token, credential, authenticationRequired);
    const calling = permission === undefined ? undefined : authority.loadCaller();
    const [caller, hidden, gate] = await Promise.all([
      calling,
      loadHiddenProjects(service, token, projectId),
      loadApprovalGate(service, () => calling ?? loadCaller(service, token)),
    ]);
    if (permission !== undefined) {
      if (caller === undefined) throw authenticationRequired();
      context.caller = caller;
      if (anyOf.length > 0 && permissionBy === undefined) requirePermission(caller, anyOf, projectId, environment);
    }
    context.request = { ...service, authority, gate, hiddenProjects: hidden, ...(effectsOf && { effectsOf }) };
  };
}

/** Returns the permissions that a valid request needs. */
export type NeedsOf<D extends WrittenDeclaration> = (
  request: Pick<Input<D>, 'params' | 'body' | 'caller'>,
) => readonly NeededPermission[];

/** Answers 403 with all permissions that the caller lacks of those that follow from the path and the body. */
export function requirePermissions(needsOf: NeedsOf<WrittenDeclaration>): RequestCheck {
  return ({ context }) => {
    const { caller } = context;
    if (caller === undefined) throw authenticationRequired();
    assertMayAll(caller, needsOf(context as never));
  };
}

/**
 * Answers 404 to a caller who must not know of the project that the path names, with the message for one that does not
 * exist. It runs after all other checks of a request, as that for an unknown project does, so that none of them tells
 * the two apart.
 */
export function hiddenProject(declaration: Declaration): RequestCheck {
  return ({ event, context: { request, caller } }) => {
    const { projectId } = event.pathParameters ?? {};
    // An operation without errors of its own answers alike for a project that does not exist: there is nothing in it.
    if (!isHidden(request, projectId) || declaration.errors?.length === 0) return;
    // The handler would say so before it looks for the project.
    if (declaration.permissionBy !== undefined && caller !== undefined) {
      requirePermission(caller, permissionsOf(declaration), projectId);
    }
    throw notFound('project', String(projectId));
  };
}
