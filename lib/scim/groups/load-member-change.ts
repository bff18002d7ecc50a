import { loadAccounts } from '../../identity/accounts.ts';
import type { Group } from '../../identity/groups.ts';
import { users } from '../../identity/users.ts';
import { type MemberChange, membersAtOnce } from '../../people/groups/change-members.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { listProvisionedMembers } from './group-resource.ts';

/**
 * Loads the changes that give a group the wanted members of the directory, with the accounts that the next transaction changes. Members
 * whom the directory no longer manages are ignored.
 */
export async function loadMemberChange(
  request: Request,
  before: Versioned<Group>,
  members: readonly number[],
): Promise<MemberChange> {
  const present = new Set(before.value.members.map(({ userId }) => userId));
  const wanted = new Set(members);
  const added = members.filter((userId) => !present.has(userId));
  const removed = listProvisionedMembers(before.value).filter((userId) => !wanted.has(userId));
  const next = added.slice(0, membersAtOnce);
  const accounts = await loadAccounts(request, [...removed.slice(0, membersAtOnce), ...next]);
  const gone = new Set(next.filter((userId) => accounts.get(userId)?.value.scimId === undefined));
  if (gone.size > 0) {
    return loadMemberChange(
      request,
      before,
      members.filter((userId) => !gone.has(userId)),
    );
  }
  return { before, added, removed, accounts, areProvisioned: true };
}

/** Returns the ids of those users whom the directory manages. */
export type MemberFilter = (before: Group | undefined, ids: readonly number[]) => Promise<number[]>;

/** Creates a filter that reads each user at most once. It does not read those whom the directory has added to the group before. */
export function createMemberFilter(request: Request): MemberFilter {
  const known = new Map<number, boolean>();
  return async (before, ids) => {
    for (const id of before === undefined ? [] : listProvisionedMembers(before)) known.set(id, true);
    const unchecked = ids.filter((id) => !known.has(id));
    const found = await users.findSome(request, unchecked);
    for (const id of unchecked) known.set(id, found.get(id)?.scimId !== undefined);
    return ids.filter((id) => known.get(id));
  };
}
