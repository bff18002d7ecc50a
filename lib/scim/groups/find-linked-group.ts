import { type Group, groups } from '../../identity/groups.ts';
import * as peopleKeys from '../../identity/keys.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { findIdsByUniqueKeys } from '../resource-ids.ts';
import { ScimError } from '../scim-error.ts';
import { type GroupResource, groupNameOf } from './group-resource.ts';

/**
 * Finds the existing group that a new group of the directory is linked to: the one with the name, or else the only one whose `mappingsSSO`
 * has the name. A group with roles needs the mapping in any case. Otherwise, people who may name groups in the directory, such as owners
 * of groups, could give themselves its roles.
 * @throws ApiError 409 for a group that the directory manages already, unless its creation is unfinished, and for one that needs the
 * mapping.
 */
export async function findLinkedGroup(request: Request, wanted: GroupResource): Promise<Versioned<Group> | undefined> {
  const { displayName, externalId: external } = wanted;
  const [holders, ids] = await Promise.all([
    groups.findHolders(request, 'name', [groupNameOf(wanted)]),
    findIdsByUniqueKeys(request, [
      peopleKeys.directoryGroupName(displayName),
      ...(external === undefined ? [] : [peopleKeys.externalGroup(external)]),
    ]),
  ]);
  const [named] = holders.values();
  const found = await groups.findSomeVersioned(request, [...ids, ...(named ? [named.id] : [])]);
  const managed = [...found.values()].filter(({ value }) => value.scimId !== undefined);
  const [first, second] = managed;
  const isUnfinished = first?.value.isUnfinished && first.value.directoryName === displayName;
  if (second !== undefined || (first !== undefined && !isUnfinished)) {
    throw new ScimError('uniqueness', `There is already a group with the name or external id of "${displayName}".`);
  }
  if (first !== undefined) return first;
  const alike = named && found.get(named.id);
  if (alike !== undefined && !needsMapping(alike.value, displayName)) return alike;
  const mapped = await findMapped(request, displayName);
  if (mapped === undefined && alike !== undefined) {
    throw new ScimError(
      'uniqueness',
      `There is a group "${displayName}" with roles. An Admin can let the directory fill it, by adding this name to its groups at the identity provider (mappingsSSO).`,
    );
  }
  return mapped;
}

function needsMapping({ rootRole, projectRoles, mappingsSSO }: Group, displayName: string): boolean {
  const hasRoles = rootRole !== undefined || projectRoles.length > 0;
  return hasRoles && !mappingsSSO.includes(displayName);
}

/** Finds the group that has a mapping and that the directory does not manage; undefined if several have it. It reads all groups. */
async function findMapped(request: Request, displayName: string): Promise<Versioned<Group> | undefined> {
  const all = await groups.listVersioned(request);
  const mapped = all.filter(({ value }) => value.scimId === undefined && value.mappingsSSO.includes(displayName));
  return mapped.length === 1 ? mapped[0] : undefined;
}
