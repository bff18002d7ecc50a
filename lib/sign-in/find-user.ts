import type { Table } from '../table/table.ts';
import { users } from '../users/users.ts';

/** The id of the user of an e-mail address in whatever capitals, or else of a user name. */
export async function findUserId(table: Table, name: string): Promise<number | undefined> {
  const [byName, byAddress] = await Promise.all([
    users.bearers(table, 'username', [name]),
    users.bearers(table, 'email', [name]),
  ]);
  return (byAddress.get(name) ?? byName.get(name))?.id;
}
