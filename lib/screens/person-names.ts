import { loadAccounts } from '../identity/accounts.ts';
import type { Request } from '../request.ts';

/** Loads the names of people by id, as colleagues call them; those of deleted people are missing. */
export async function loadPersonNames(request: Request, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const accounts = await loadAccounts(
    request,
    [...new Set(ids)].filter((id) => id > 0),
  );
  return new Map(
    [...accounts].map(([id, { value }]) => [id, value.name || value.username || value.email || `user ${id}`]),
  );
}
