import { users } from '../people/users.ts';
import type { Request } from '../request.ts';

/** Finds the id of a user by e-mail address, ignoring case, or else by user name. */
export async function findUserId(request: Request, name: string): Promise<number | undefined> {
  const [byName, byAddress] = await Promise.all([
    users.bearers(request, 'username', [name]),
    users.bearers(request, 'email', [name]),
  ]);
  return (byAddress.get(name) ?? byName.get(name))?.id;
}
