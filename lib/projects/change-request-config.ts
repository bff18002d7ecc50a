import type { Request } from '../request.ts';
import { loadProject, type Project, requireEnvironment } from './projects.ts';

/** Returns the environments of a project, in none of which changes need approval. */
export function changeRequestConfigOf({ environments }: Project) {
  return environments.map(({ name, type }) => ({
    environment: name,
    type,
    changeRequestEnabled: false,
    requiredApprovals: null,
  }));
}

/**
 * Leaves changes in an environment of a project without approval, as they are.
 * @throws ApiError 404 for an unknown project, and for an environment that it does not have.
 */
export async function keepChangeRequestsOff(
  request: Request,
  { projectId, environment }: { readonly projectId: string; readonly environment: string },
): Promise<void> {
  requireEnvironment(await loadProject(request, projectId), environment);
}
