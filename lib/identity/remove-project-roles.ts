import { changeEach } from '../entity/change-each.ts';
import type { Entity } from '../entity/entity.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import { groups } from './groups.ts';
import type { ProjectRoles } from './roles.ts';
import { serviceAccounts, users } from './users.ts';

/** Removes the roles that users, service accounts and groups have in a deleted project. The deletion of the project is their event. */
export async function removeProjectRoles(request: Request, actor: Actor, project: string): Promise<void> {
  await Promise.all([
    removeRolesOf(request, actor, users, project),
    removeRolesOf(request, actor, serviceAccounts, project),
    removeRolesOf(request, actor, groups, project),
  ]);
}

function removeRolesOf<T extends { readonly projectRoles: readonly ProjectRoles[] }>(
  request: Request,
  actor: Actor,
  holders: Entity<T, number>,
  project: string,
): Promise<void> {
  const isThere = (each: ProjectRoles) => each.project === project;
  return changeEach(
    request,
    actor,
    holders,
    ({ projectRoles }) => projectRoles.some(isThere),
    (holder) => {
      const projectRoles = holder.value.projectRoles.filter((each) => !isThere(each));
      return { writes: holders.updated(holder, { ...holder.value, projectRoles }).writes, events: [] };
    },
  );
}
