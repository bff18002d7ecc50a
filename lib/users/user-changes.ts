import type { NewEvent } from '../events/event.ts';
import { keys } from '../table/keys.ts';
import type { Write } from '../table/write.ts';
import { type User, userItem } from './user.ts';

/** The writes that add a user: themselves, and what leads to them from their name. Both must be new. */
export function newUserWrites(user: User): Write[] {
  return [
    { put: keys.user(user.id), item: { ...userItem(user) }, when: 'absent' },
    { put: keys.username(user.username), item: { id: user.id }, when: 'absent' },
  ];
}

/** The write that replaces a user by `next`, provided that nobody has changed them since `user` was read. */
export function changedUserWrite({ version }: User, next: Omit<User, 'version'>): Write {
  return { put: keys.user(next.id), item: { ...userItem({ ...next, version: version + 1 }) }, when: { version } };
}

export function userCreated(user: User): NewEvent {
  return { type: 'user-created', data: shown(user) };
}

export function userUpdated(before: User, after: User): NewEvent {
  return { type: 'user-updated', data: shown(after), preData: shown(before) };
}

/** What events tell of a user. */
function shown({ id, username, name, email, rootRole, projectRoles }: User) {
  return {
    id,
    username,
    name: name ?? null,
    email: email ?? null,
    rootRole,
    projectRoles: Object.fromEntries(projectRoles),
  };
}
