import { ApiError } from '../errors.ts';
import { isHidden, type Request } from '../request.ts';

type Gated = Pick<Request, 'gate' | 'hiddenProjects'>;

/** Returns the environments of a project in which a request has a gate to pass. */
export function protectedEnvironments({ gate }: Gated, project: string): ReadonlySet<string> {
  return gate?.protected.get(project) ?? new Set();
}

/** Tells whether the caller changes what SDKs get in an environment of a project with approval only. */
export function needsApproval(request: Gated, project: string, environment: string): boolean {
  return (
    protectedEnvironments(request, project).has(environment) && request.gate?.maySkip(project, environment) !== true
  );
}

/**
 * Holds a request to the approval that a change of what SDKs get in an environment of a project needs.
 * @throws ApiError 403, in Unleash's form, where changes need approval and the caller may not do without.
 */
export function assertDirect(request: Gated, project: string, environment: string): void {
  if (needsApproval(request, project, environment)) throw approvalNeeded(request, project, environment);
}

/** Returns a 403 that names the place, unless the caller must not know of the project. */
function approvalNeeded(request: Gated, project: string, environment: string): ApiError {
  const place = isHidden(request, project)
    ? 'another project, which this would change too,'
    : `the environment "${environment}" of the project "${project}"`;
  const message = `Changes in ${place} need approval; make a change request, or have SKIP_CHANGE_REQUEST there.`;
  return new ApiError('PermissionError', message, [{ message }], { permissions: ['SKIP_CHANGE_REQUEST'] });
}

/**
 * A request to which the changes in a project were approved. What they would change in other projects, as that of a segment
 * may, still needs its own approval there.
 */
export function withApproval({ gate, ...request }: Request, project: string): Request {
  if (gate === undefined) return request;
  return { ...request, gate: { ...gate, protected: new Map([...gate.protected].filter(([id]) => id !== project)) } };
}
