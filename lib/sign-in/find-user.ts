import type { Table } from '../table/table.ts';
import { users } from '../users/users.ts';

/** The id of the user of a user name, or else of an e-mail address in whatever capitals. */
export async function findUserId(table: Table, name: string): Promise<number | undefined> {
  const [byName, byAddress] = await Promise.all([
    users.bearers(table, 'username', [name]),
    users.bearers(table, 'email', [name]),
  ]);
  return (byName.get(name) ?? byAddress.get(name))?.id;
}
