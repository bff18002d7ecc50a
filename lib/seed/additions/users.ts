import type { User } from '../../users/user.ts';
import { newUserWrites, userCreated } from '../../users/user-changes.ts';
import type { Addition } from '../addition.ts';
import type { SeedData } from '../seed-data.ts';
import type { SeedState } from '../seed-state.ts';
import { missing, numbers } from './missing.ts';

/** Adds to `users`, so that groups find the new ones too. */
export function missingUsers(state: SeedState, data: SeedData, users: Map<string, User>, at: string): Addition[] {
  // A number that the counter has given out may be somebody else's.
  const entries = missing(data.users, ({ username }) => users.has(username)).map(({ entry, index }) => ({
    entry: { ...entry, id: entry.id !== undefined && entry.id > state.counters.user ? entry.id : undefined },
    index,
  }));
  const nextId = numbers(state, 'user', entries);
  return entries.map(({ entry: { id = nextId(), username, name, email, rootRole }, index }) => {
    const user: User = {
      id,
      username,
      ...(name !== null && { name }),
      ...(email !== null && { email }),
      rootRole,
      createdAt: at,
      projectRoles: [],
      groups: [],
      version: 1,
    };
    users.set(username, user);
    return {
      kind: 'user',
      name: username,
      path: `users.${index}`,
      writes: newUserWrites(user),
      event: userCreated(user),
      number: { counter: 'user', value: id },
    };
  });
}
