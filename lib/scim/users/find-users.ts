import { notFound } from '../../errors.ts';
import * as peopleKeys from '../../identity/keys.ts';
import { type User, users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { userKind } from '../attributes.ts';
import type { RequiredValue } from '../filter.ts';
import type { ResourceSource } from '../list-resources.ts';
import { parseScimId, type StoredResource } from '../present.ts';
import { findIdsByUniqueKeys, listManagedIds } from '../resource-ids.ts';
import { userResourceOf } from './user-resource.ts';

/** Users, as a directory lists them. */
export const userSource: ResourceSource = {
  kind: userKind,
  listIds: (request) => listManagedIds(request, peopleKeys.provisionedUsers()),
  find: findByValue,
  load: async (request, ids) => {
    const stored = await users.findSomeVersioned(request, ids);
    return ids.flatMap((id) => {
      const user = stored.get(id);
      return user?.value.scimId === undefined ? [] : [userResourceOf(user)];
    });
  },
};

async function findByValue(request: Request, { attribute, value }: RequiredValue): Promise<number[] | undefined> {
  const id = parseScimId(userKind, value);
  switch (attribute) {
    case 'id':
      return id === undefined ? [] : [id];
    case 'externalid':
      return findIdsByUniqueKeys(request, [peopleKeys.externalUser(value)]);
    case 'username':
    case 'emails':
    case 'emails.value':
      return findIdsByUniqueKeys(request, [peopleKeys.signInName(value)]);
    default:
      return undefined;
  }
}

/**
 * Loads a user as the directory sees them.
 * @throws ApiError 404 for an unknown user, and for one that the directory does not manage.
 */
export async function loadProvisionedUser(request: Request, scimId: string): Promise<Versioned<StoredResource>> {
  const user = await loadManagedUser(request, scimId);
  return { value: userResourceOf(user), version: user.version };
}

/**
 * Loads a user that the directory manages.
 * @throws ApiError 404 for an unknown user, and for one that the directory does not manage.
 */
export async function loadManagedUser(request: Request, scimId: string): Promise<Versioned<User>> {
  const id = parseScimId(userKind, scimId);
  const user = id === undefined ? undefined : await users.find(request, id);
  if (user?.value.scimId === undefined) throw notFound('user', scimId);
  return user;
}
