import { isDeepStrictEqual } from 'node:util';
import { acceptName } from '../entity/names.ts';
import type { Actor } from '../events/actor.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { parseFeatureNaming } from './feature-naming.ts';
import { type ProjectSettings, type ProjectUpdate, projectName } from './project-schema.ts';
import { type Project, projects } from './projects.ts';

/**
 * Changes the given properties of a project.
 * @throws ApiError 404 for an unknown project; 400 for a new name that is blank; 412 if `If-Match` does not match.
 */
export function updateProject(request: Request, actor: Actor, id: string, update: ProjectUpdate) {
  return updateAndHide(request, actor, id, (before, at) => {
    const name = acceptName(before.name, update.name, projectName);
    return withUpdate(before, { ...update, name }, at);
  });
}

/**
 * Changes the given settings of a project. Omitted link templates stay; Unleash removes them.
 * @throws ApiError 404 for an unknown project; 400 for an invalid naming pattern; 412 if `If-Match` does not match.
 */
export async function updateProjectSettings(
  request: Request,
  actor: Actor,
  id: string,
  { featureNaming, ...settings }: ProjectSettings,
): Promise<Versioned<Project>> {
  const naming = featureNaming === undefined ? {} : { featureNaming: parseFeatureNaming(featureNaming) };
  return updateAndHide(request, actor, id, (before, at) => withUpdate(before, { ...settings, ...naming }, at));
}

/** Updates a project. One that becomes private is hidden at once: this process remembers which projects are. */
async function updateAndHide(
  request: Request,
  actor: Actor,
  id: string,
  update: (before: Project, at: string) => Project,
): Promise<Versioned<Project>> {
  const updated = await projects.update(request, actor, id, update);
  if (updated.value.mode === 'private') await reloadAccessFlags(request);
  return updated;
}

function withUpdate(before: Project, update: Partial<Project>, at: string): Project {
  const after = { ...before, ...update };
  return isDeepStrictEqual(before, after) ? before : { ...after, updatedAt: at };
}
