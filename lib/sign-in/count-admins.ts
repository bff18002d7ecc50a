import { rootRoles } from '../people/rights/permissions.ts';
import { users } from '../people/users.ts';
import type { Request } from '../request.ts';
import { loadRecord } from './passwords/records.ts';

/** Counts the Admins, by whether they have a password. */
export async function countAdmins(
  request: Request,
): Promise<{ readonly password: number; readonly noPassword: number; readonly service: number }> {
  const admins = (await users.list(request)).filter(({ rootRole }) => rootRole === rootRoles.Admin);
  const records = await Promise.all(admins.map(({ id }) => loadRecord(request, id)));
  const password = records.filter(({ passwordHash }) => passwordHash !== undefined).length;
  return { password, noPassword: admins.length - password, service: 0 };
}
