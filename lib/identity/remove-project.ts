import { changeEach } from '../entity/change-each.ts';
import type { Entity } from '../entity/entity.ts';
import type { Actor } from '../events/actor.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { queryAll } from '../store/read.ts';
import { transact } from '../store/transactions/transact.ts';
import * as flagKeys from './access-flags/keys.ts';
import { groups } from './groups.ts';
import type { ProjectRoles } from './roles.ts';
import { buildTokenRemoval, scopeOf, tokens } from './tokens/tokens.ts';
import { serviceAccounts, users } from './users.ts';

/** Removes the roles of users, service accounts and groups in a deleted project, without events other than that of the deletion. */
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
  const isOfProject = (roles: ProjectRoles) => roles.project === project;
  return changeEach(
    request,
    actor,
    holders,
    ({ projectRoles }) => projectRoles.some(isOfProject),
    (holder) => {
      const projectRoles = holder.value.projectRoles.filter((roles) => !isOfProject(roles));
      return { writes: holders.buildUpdateEffects(holder, { ...holder.value, projectRoles }).writes, events: [] };
    },
  );
}

/** Removes a project from the scope of all tokens, and deletes the tokens that are for no other project. */
export function removeProjectFromTokens(request: Request, actor: Actor, project: string): Promise<void> {
  return changeEach(
    request,
    actor,
    tokens,
    (token) => scopeOf(token)?.projects.includes(project) ?? false,
    (token) => {
      const others = scopeOf(token.value)?.projects.filter((other) => other !== project) ?? [];
      return others.length === 0
        ? buildTokenRemoval(token)
        : tokens.buildUpdateEffects(token, { ...token.value, projects: others });
    },
  );
}

/** Removes the flags of a project's protected environments, in one transaction: a project has fewer of them than that has writes. */
export async function removeProtection(request: Request, project: string): Promise<void> {
  const flags = await queryAll<Key>(request, flagKeys.protections(project));
  await transact(
    request,
    flags.map(({ pk, sk }) => ({ remove: { pk, sk } })),
    undefined,
  );
}
