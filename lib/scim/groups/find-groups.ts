import { notFound } from '../../errors.ts';
import { type Group, groups } from '../../identity/groups.ts';
import * as peopleKeys from '../../identity/keys.ts';
import { users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { groupKind, userKind } from '../attributes.ts';
import type { RequiredValue } from '../filter.ts';
import type { ResourceSource } from '../list-resources.ts';
import { type LinkBase, parseScimId, type StoredResource } from '../present.ts';
import { findIdsByUniqueKeys, listManagedIds } from '../resource-ids.ts';
import { groupResourceOf } from './group-resource.ts';

/** Groups, as a directory lists them. */
export const groupSource: ResourceSource = {
  kind: groupKind,
  listIds: (request) => listManagedIds(request, peopleKeys.provisionedGroups()),
  find: findByValue,
  load: async (request, ids, links) => {
    const stored = await groups.findSomeVersioned(request, ids);
    return ids.flatMap((id) => {
      const group = stored.get(id);
      return group?.value.scimId === undefined ? [] : [groupResourceOf(group, links)];
    });
  },
};

async function findByValue(
  request: Request,
  { attribute, value }: RequiredValue,
): Promise<readonly number[] | undefined> {
  switch (attribute) {
    case 'id': {
      const id = parseScimId(groupKind, value);
      return id === undefined ? [] : [id];
    }
    case 'externalid':
      return findIdsByUniqueKeys(request, [peopleKeys.externalGroup(value)]);
    case 'displayname':
      return findIdsByUniqueKeys(request, [peopleKeys.directoryGroupName(value)]);
    case 'members':
    case 'members.value': {
      const user = await users.find(request, parseScimId(userKind, value) ?? 0);
      return user?.value.groups ?? [];
    }
    default:
      return undefined;
  }
}

/**
 * Loads a group as the directory sees it.
 * @throws ApiError 404 for an unknown group, and for one that the directory does not manage.
 */
export async function loadProvisionedGroup(
  request: Request,
  scimId: string,
  links: LinkBase,
): Promise<Versioned<StoredResource>> {
  const group = await loadManagedGroup(request, scimId);
  return { value: groupResourceOf(group, links), version: group.version };
}

/**
 * Loads a group that the directory manages.
 * @throws ApiError 404 for an unknown group, and for one that the directory does not manage.
 */
export async function loadManagedGroup(request: Request, scimId: string): Promise<Versioned<Group>> {
  const id = parseScimId(groupKind, scimId);
  const group = id === undefined ? undefined : await groups.find(request, id);
  if (group?.value.scimId === undefined) throw notFound('group', scimId);
  return group;
}
