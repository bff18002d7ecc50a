import { systemUser } from '../events/actor.ts';
import { loadAccounts } from '../identity/accounts.ts';
import type { Request } from '../request.ts';

/** Loads the display names of people by id, and that of the service. Deleted people have none. */
export async function loadPersonNames(request: Request, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const accounts = await loadAccounts(
    request,
    [...new Set(ids)].filter((id) => id > 0),
  );
  const names = [...accounts].map(([id, { value }]) => {
    return [id, value.name || value.username || value.email || `user ${id}`] as const;
  });
  return new Map([[systemUser.id, 'Flagstaff'], ...names]);
}
