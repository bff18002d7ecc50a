import { isDeepStrictEqual } from 'node:util';
import { rename } from '../entity/rename.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { featureNamingOf } from './feature-naming.ts';
import { type ProjectSettings, type ProjectUpdate, projectName } from './project-schema.ts';
import { type Project, projects } from './projects.ts';

/**
 * Changes the properties of a project that the update names.
 * @throws ApiError 404 for an unknown project; 400 for another name that is blank; 412 by `If-Match`.
 */
export function updateProject(request: Request, actor: Actor, id: string, update: ProjectUpdate) {
  return projects.update(request, actor, id, (before, at) => {
    const name = rename(before.name, update.name, projectName);
    return changed(before, { ...update, name }, at);
  });
}

/**
 * Changes those settings of a project that are named; Unleash clears the links of features where they are left out.
 * @throws ApiError 404 for an unknown project; 400 for an invalid naming pattern; 412 by `If-Match`.
 */
export async function updateProjectSettings(
  request: Request,
  actor: Actor,
  id: string,
  { featureNaming, ...settings }: ProjectSettings,
): Promise<Versioned<Project>> {
  const naming = featureNaming === undefined ? {} : { featureNaming: featureNamingOf(featureNaming) };
  return projects.update(request, actor, id, (before, at) => changed(before, { ...settings, ...naming }, at));
}

function changed(before: Project, update: Partial<Project>, at: string): Project {
  const after = { ...before, ...update };
  return isDeepStrictEqual(before, after) ? before : { ...after, updatedAt: at };
}
