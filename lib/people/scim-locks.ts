import { ApiError } from '../errors.ts';
import type { Group } from '../identity/groups.ts';
import { authorNameOf, type User } from '../identity/users.ts';
import type { Request } from '../request.ts';
import { loadScimSettings, readScimSettings } from './scim-settings.ts';

/** Keeps everybody but the directory from changing what it manages while SCIM is on. */
export interface ScimLocks {
  /** @throws ApiError 403 if the directory manages the user, and the name or an address would change. The role may change. */
  readonly assertMayUpdate: (before: User, after: User) => void;
  /** @throws ApiError 403 if the directory manages the user. */
  readonly assertMayGetPassword: (user: User) => void;
  /** @throws ApiError 403 if the directory manages the group, and the name or its members of the directory would change. */
  readonly assertMayUpdateGroup: (group: Group, isKept: { readonly name: boolean; readonly members: boolean }) => void;
}

/** Loads the locks as the settings of SCIM are at this moment. */
export async function loadScimLocks(request: Request): Promise<ScimLocks> {
  const { enabled } = (await readScimSettings(request)).value;
  const isManaged = ({ scimId }: Pick<User, 'scimId'>) => enabled && scimId !== undefined;
  return {
    assertMayUpdate: (before, after) => {
      if (!isManaged(before)) return;
      if (before.name === after.name && before.email === after.email && before.username === after.username) return;
      throw buildLockError(`"${authorNameOf(before)}"`, 'Change the name and the e-mail address there.');
    },
    assertMayGetPassword: (user) => {
      if (isManaged(user)) throw buildLockError(`"${authorNameOf(user)}"`, 'They sign in through it.');
    },
    assertMayUpdateGroup: (group, isKept) => {
      if (!isManaged(group) || (isKept.name && isKept.members)) return;
      throw buildLockError(`The group "${group.name}"`, 'Change its name and its members there.');
    },
  };
}

/** Tells whether SCIM is on, so that the directory alone decides about the groups that it manages. */
export async function isScimOn(request: Request): Promise<boolean> {
  return (await loadScimSettings(request)).enabled;
}

function buildLockError(thing: string, advice: string): ApiError {
  return new ApiError('NoAccessError', `${thing} is managed by your identity provider through SCIM. ${advice}`);
}
