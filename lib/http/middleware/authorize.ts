import { notFound } from '../../errors.ts';
import { loadHiddenProjects } from '../../identity/access-flags/access-flags.ts';
import { loadApprovalGate, loadProposalGate } from '../../identity/access-flags/approval-gate.ts';
import {
  assertMayAll,
  type Caller,
  loadCaller,
  type NeededPermission,
  onlyProposalsAllowed,
  requirePermission,
} from '../../identity/caller.ts';
import { CallerAuthority } from '../../identity/caller-authority.ts';
import { takeAgentCall, takeAgentChange } from '../../identity/tokens/agent-calls.ts';
import { isHidden } from '../../request.ts';
import { shortenToLine } from '../../values/shorten-to-line.ts';
import {
  type Declaration,
  isMutation,
  isOfSdks,
  isOpenToAgents,
  permissionsOf,
  type WrittenDeclaration,
} from '../declaration.ts';
import type { Input } from '../handler-types.ts';
import { authenticationRequired } from './authenticate.ts';
import type { RequestCheck } from './state.ts';

/**
 * Answers 403 to a caller without the permission, before any other check. Hidden projects do not exist for the caller, and the caller
 * cannot directly change anything that needs approval. A change of access rights is stored only if the caller still has the rights
 * on which it was permitted. An agent is refused every operation that its declaration does not open to agents.
 */
export function authorize(declaration: Declaration): RequestCheck {
  const { permission, permissionBy, effectsOf } = declaration;
  const anyOf = permissionsOf(declaration);
  return async ({ event, context }) => {
    const { token, credential, service } = context;
    if (token === undefined || credential === undefined || isOfSdks(declaration)) {
      // An SDK gets the flags of its token in any project. Without a token, an operation reads no project.
      const { authority } = context.signer ?? {};
      context.request = { ...service, ...(authority && { authority }) };
      return;
    }
    const isAgent = token.kind === 'agent';
    if (isAgent) takeAgentCall(service, token);
    if (isAgent && !isOpenToAgents(declaration)) throw onlyProposalsAllowed();
    const { projectId, environment } = event.pathParameters ?? {};
    const authority = new CallerAuthority(service, token, credential, authenticationRequired);
    const callerLoad = permission === undefined ? undefined : authority.loadCaller();
    const [caller, hidden, gate] = await Promise.all([
      callerLoad,
      loadHiddenProjects(service, token, projectId),
      isAgent ? loadProposalGate(service) : loadApprovalGate(service, () => callerLoad ?? loadCaller(service, token)),
      isAgent && isMutation(declaration) ? takeAgentChange(service, token) : undefined,
    ]);
    if (permission !== undefined) {
      if (caller === undefined) throw authenticationRequired();
      context.caller = withClient(caller, context.header('user-agent'));
      if (anyOf.length > 0 && permissionBy === undefined) requirePermission(caller, anyOf, projectId, environment);
    }
    context.request = { ...service, authority, gate, hiddenProjects: hidden, ...(effectsOf && { effectsOf }) };
  };
}

/** Returns an agent with the name of the program that it calls itself; anybody else unchanged. */
function withClient(caller: Caller, userAgent: string | undefined): Caller {
  const client = shortenToLine(userAgent);
  return caller.agent === undefined || client === '' ? caller : { ...caller, agent: { ...caller.agent, client } };
}

/** Returns the permissions that a valid request needs. */
export type NeedsOf<D extends WrittenDeclaration> = (
  request: Pick<Input<D>, 'params' | 'body' | 'caller'>,
) => readonly NeededPermission[];

/** Answers 403 with all missing permissions of those that depend on the path and the body. */
export function requirePermissions(needsOf: NeedsOf<WrittenDeclaration>): RequestCheck {
  return ({ context }) => {
    const { caller } = context;
    if (caller === undefined) throw authenticationRequired();
    assertMayAll(caller, needsOf(context as never));
  };
}

/**
 * Answers 404 for a hidden project in the path, with the same message as for an unknown project. It runs after all other checks, as the
 * check for an unknown project does, so that no other error reveals that the project exists.
 */
export function hiddenProject(declaration: Declaration): RequestCheck {
  return ({ event, context: { request, caller } }) => {
    const { projectId } = event.pathParameters ?? {};
    // An operation without errors of its own gives the same reply for an unknown project: it is empty.
    if (!isHidden(request, projectId) || declaration.errors?.length === 0) return;
    // The handler checks this before it looks for the project.
    if (declaration.permissionBy !== undefined && caller !== undefined) {
      requirePermission(caller, permissionsOf(declaration), projectId);
    }
    throw notFound('project', String(projectId));
  };
}
