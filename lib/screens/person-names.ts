import { type Author, directoryActor, systemUser } from '../events/actor.ts';
import { loadAccounts } from '../identity/accounts.ts';
import type { Request } from '../request.ts';

/** Loads the display names of people by id, and those of the service and of a directory. Deleted people have none. */
export async function loadPersonNames(request: Request, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const accounts = await loadAccounts(
    request,
    [...new Set(ids)].filter((id) => id > 0),
  );
  const names = [...accounts].map(([id, { value }]) => {
    return [id, value.name || value.username || value.email || `user ${id}`] as const;
  });
  const directory = ids.includes(directoryActor.id) ? [[directoryActor.id, directoryActor.name] as const] : [];
  return new Map([[systemUser.id, 'Flagstaff'], ...directory, ...names]);
}

/** Returns the display name of an author, with the agent that acted for them: "helper (agent of Kim)". */
export function nameAuthor(names: ReadonlyMap<number, string>, { id, name, agent }: Author): string {
  const person = names.get(id) ?? name;
  return agent === undefined ? person : `${agent.name} (agent of ${person})`;
}
