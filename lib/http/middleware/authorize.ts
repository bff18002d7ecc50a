import { notFound } from '../../errors.ts';
import { callerOf, permitted } from '../../identity/caller.ts';
import { CallerAuthority } from '../../identity/caller-authority.ts';
import { approvalGate } from '../../identity/marks/approval-gate.ts';
import { hiddenProjects } from '../../identity/marks/project-marks.ts';
import { isHidden } from '../../request.ts';
import {
  type Declaration,
  type Input,
  isOfSdks,
  type Need,
  permissionsOf,
  type WrittenDeclaration,
} from '../declaration.ts';
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
    const calling = permission === undefined ? undefined : authority.caller();
    const [caller, hidden, gate] = await Promise.all([
      calling,
      hiddenProjects(service, token, projectId),
      approvalGate(service, () => calling ?? callerOf(service, token)),
    ]);
    if (permission !== undefined) {
      if (caller === undefined) throw authenticationRequired();
      context.caller = caller;
      if (anyOf.length > 0 && permissionBy === undefined) permitted(caller, anyOf, projectId, environment);
    }
    context.request = { ...service, authority, gate, hiddenProjects: hidden, ...(effectsOf && { effectsOf }) };
  };
}

/** Returns the permissions that a valid request needs. */
export type NeedsOf<D extends WrittenDeclaration> = (
  request: Pick<Input<D>, 'params' | 'body' | 'caller'>,
) => readonly Need[];

/** Answers 403 to a caller who lacks one of the permissions that follow from the path and the body. */
export function needed(needsOf: NeedsOf<WrittenDeclaration>): RequestCheck {
  return ({ context }) => {
    const { caller } = context;
    if (caller === undefined) throw authenticationRequired();
    for (const { permission, project, environment } of needsOf(context as never)) {
      permitted(caller, [permission].flat(), project, environment);
    }
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
    if (!isHidden(request, projectId)) return;
    // The handler would say so before it looks for the project.
    if (declaration.permissionBy !== undefined && caller !== undefined) {
      permitted(caller, permissionsOf(declaration), projectId);
    }
    throw notFound('project', String(projectId));
  };
}
