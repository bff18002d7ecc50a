import { ApiError, joinNames } from '../errors.ts';
import { type CallerAccess, isHidden, type Request } from '../request.ts';

/** Returns the environments of a project in which a request has a gate to pass. */
export function protectedEnvironments({ gate }: CallerAccess, project: string): ReadonlySet<string> {
  return gate.protected.get(project) ?? new Set();
}

/** Tells whether the caller changes what SDKs get in an environment of a project with approval only. */
export function needsApproval(request: CallerAccess, project: string, environment: string): boolean {
  return protectedEnvironments(request, project).has(environment) && !request.gate.maySkip(project, environment);
}

/** An environment of a project in which a change is made. */
interface ChangedPlace {
  readonly project: string;
  readonly environment: string;
}

/**
 * Holds a request to the approval that a change of what SDKs get in environments of projects needs.
 * @throws ApiError 403, in Unleash's form, that names all of those where changes need approval and the caller may not do
 * without.
 */
export function assertDirect(request: CallerAccess, places: readonly ChangedPlace[]): void {
  const held = places.filter(({ project, environment }) => needsApproval(request, project, environment));
  if (held.length > 0) throw approvalNeeded(request, held);
}

/** Returns a 403 that names the places, except those in projects that the caller must not know of. */
function approvalNeeded(request: CallerAccess, places: readonly ChangedPlace[]): ApiError {
  const named = [...Map.groupBy(places, ({ project }) => project)].map(([project, within]) => {
    if (isHidden(request, project)) return 'another project, which this would change too,';
    const environments = [...new Set(within.map(({ environment }) => `"${environment}"`))];
    return `the ${environments.length > 1 ? 'environments' : 'environment'} ${joinNames(environments)} of the project "${project}"`;
  });
  const where = joinNames([...new Set(named)]);
  const message = `Changes in ${where} need approval; make a change request, or have SKIP_CHANGE_REQUEST there.`;
  return new ApiError('PermissionError', message, [{ message }], { permissions: ['SKIP_CHANGE_REQUEST'] });
}

/**
 * A request to which the changes in a project were approved. What they would change in other projects, as that of a segment
 * may, still needs its own approval there.
 */
export function withApproval<R extends Request>(request: R, project: string): R {
  const others = [...request.gate.protected].filter(([id]) => id !== project);
  return { ...request, gate: { ...request.gate, protected: new Map(others) } };
}
