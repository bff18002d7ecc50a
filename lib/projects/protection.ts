import { ApiError, joinNames } from '../errors.ts';
import { type CallerAccess, isHidden, type Request } from '../request.ts';

/** Lists the environments of a project in which changes need approval. */
export function listProtectedEnvironments({ gate }: CallerAccess, project: string): ReadonlySet<string> {
  return gate.protected.get(project) ?? new Set();
}

/** Tells whether the caller needs approval to change what SDKs get in an environment of a project. */
export function needsApproval(request: CallerAccess, project: string, environment: string): boolean {
  const { gate } = request;
  if (gate.onlyProposals) return true;
  return listProtectedEnvironments(request, project).has(environment) && !gate.maySkip(project, environment);
}

/** An environment of a project. */
interface Place {
  readonly project: string;
  readonly environment: string;
}

/**
 * Requires that the caller may change what SDKs get in some environments without approval.
 * @throws ApiError 403, in Unleash's form, that names all environments where they need approval.
 */
export function assertNoApprovalNeeded(request: CallerAccess, places: readonly Place[]): void {
  const refused = places.filter(({ project, environment }) => needsApproval(request, project, environment));
  if (refused.length > 0) throw approvalNeeded(request, refused);
}

/** Builds the error, without the names of projects that are hidden from the caller. */
function approvalNeeded(request: CallerAccess, places: readonly Place[]): ApiError {
  const names = [...Map.groupBy(places, ({ project }) => project)].map(([project, inProject]) => {
    if (isHidden(request, project)) return 'another project, which this would change too,';
    const environments = [...new Set(inProject.map(({ environment }) => `"${environment}"`))];
    return `the ${environments.length > 1 ? 'environments' : 'environment'} ${joinNames(environments)} of the project "${project}"`;
  });
  const where = joinNames([...new Set(names)]);
  const message = `Changes in ${where} need approval; make a change request, or have SKIP_CHANGE_REQUEST there.`;
  return new ApiError('PermissionError', message, [{ message }], { permissions: ['SKIP_CHANGE_REQUEST'] });
}

/**
 * Returns a request whose changes in a project are approved, to plan and show what they would do. A change of a segment may also
 * affect other projects, where it still needs approval.
 */
export function withApproval<R extends Request>(request: R, project: string): R {
  const others = [...request.gate.protected].filter(([id]) => id !== project);
  return { ...request, gate: { ...request.gate, onlyProposals: false, protected: new Map(others) } };
}
