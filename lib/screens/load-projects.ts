import type { Actor } from '../events/actor.ts';
import { listProjects } from '../insights/projects/project-overview.ts';
import { listProtectedEnvironments } from '../projects/protection.ts';
import type { Request } from '../request.ts';
import type { ConsoleProjects } from './projects-schema.ts';

/** Loads the live or the archived projects that a reader sees, with the environments in which changes need approval. */
export async function loadProjects(
  request: Request,
  user: Actor,
  options: { readonly archived: boolean },
): Promise<ConsoleProjects> {
  const projects = await listProjects(request, user, options);
  return {
    projects: projects.map((project) => ({
      ...project,
      protected: [...listProtectedEnvironments(request, project.id)].toSorted(),
    })),
  };
}
