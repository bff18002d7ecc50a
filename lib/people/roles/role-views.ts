import type { Request } from '../../request.ts';
import { type ProjectRole, projectRoles, type RootRole, rootRoles } from '../rights/permissions.ts';
import type { Role } from './role-schema.ts';
import { type CustomRole, customRoles } from './roles.ts';

/** Descriptions of the built-in roles, for people. */
const descriptions: Readonly<Record<RootRole | ProjectRole, string>> = {
  Admin: 'May do everything.',
  Editor: 'May change everything in all projects, and what projects share; not users, roles and settings.',
  Viewer: 'May read.',
  Owner: 'May change everything in the project, and the project itself.',
  Member: 'May change the features of the project.',
  Reader: 'May read, in a private project too.',
  Approver: 'May approve, apply and reject the change requests of others in the project.',
};

const views = <Name extends RootRole | ProjectRole>(ids: Readonly<Record<Name, number>>, type: 'root' | 'project') =>
  (Object.keys(ids) as Name[]).map((name): Role => ({ id: ids[name], name, type, description: descriptions[name] }));

/** The roles that come with the service. */
export const builtInRoleViews: readonly Role[] = [...views(rootRoles, 'root'), ...views(projectRoles, 'project')];

export function roleView({ id, name, type, description }: Pick<CustomRole, keyof Role & keyof CustomRole>): Role {
  return { id, name, type, description };
}

/** Tells whether a role holds everywhere. */
export const isRootRole = ({ type }: Pick<Role, 'type'>) => type === 'root' || type === 'root-custom';

/** Lists all roles, the built-in ones first. */
export async function listRoles(request: Request): Promise<Role[]> {
  return [...builtInRoleViews, ...(await customRoles.list(request)).map(roleView)];
}

/** Returns those of the roles that exist, in the order of the ids. */
export async function someRoles(request: Request, ids: readonly number[]): Promise<Role[]> {
  const builtIn = new Map(builtInRoleViews.map((role) => [role.id, role]));
  const own = await customRoles.some(
    request,
    ids.filter((id) => !builtIn.has(id)),
  );
  return ids.flatMap((id) => {
    const custom = own.get(id);
    return builtIn.get(id) ?? (custom === undefined ? [] : roleView(custom));
  });
}
