import { change } from '../../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../../entity/effects.ts';
import { runInParts, tooLargeForTransaction } from '../../entity/phases.ts';
import { directoryActor } from '../../events/actor.ts';
import { forgetUser } from '../../identity/caller.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { type User, users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { userKind } from '../attributes.ts';
import { parseScimId } from '../present.ts';
import { loadAccessEnd } from './end-access.ts';
import { loadManagedUser } from './find-users.ts';

/** The most memberships that end in one transaction, since the items of groups can be large. */
const membershipsAtOnce = 8;

/**
 * Ends the management of a user. They lose all access and leave the groups to which the directory added them. They keep the roles that
 * administrators gave, in case the directory creates the user again.
 * @throws ApiError 404 for an unknown user; 400 for the last Admin; 412 if `If-Match` does not match.
 */
export async function withdrawUser(request: Request, scimId: string): Promise<void> {
  const id = parseScimId(userKind, scimId) ?? 0;
  const shared = {
    items: [users.keyOf(id)],
    likelyEvents: 1 + membershipsAtOnce,
    read: async () => {
      const before = await loadManagedUser(request, scimId);
      const [ending, all] = await Promise.all([
        loadAccessEnd(request, before.value, { active: false }),
        groups.findSomeVersioned(request, before.value.groups),
      ]);
      const joined = [...all.values()].filter(({ value: { members } }) =>
        members.some(({ userId, isProvisioned }) => userId === id && isProvisioned),
      );
      return { before, ending, joined };
    },
    revisionOf: ({ before }: { readonly before: Versioned<User> }) => before,
  };
  const deleteAll = (step: Request) =>
    change<Awaited<ReturnType<typeof shared.read>>, undefined | typeof tooLargeForTransaction>(step, directoryActor, {
      ...shared,
      decide: ({ before, ending = noEffects, joined }) => {
        if (joined.length > membershipsAtOnce) return { ...noEffects, result: tooLargeForTransaction };
        const user = withoutManagement(withoutGroups(before.value, joined));
        const effects = [
          users.buildUpdateEffects(before, user),
          ending,
          ...joined.map((group) => buildMemberRemoval(group, id)),
        ];
        return { ...mergeEffects(effects), result: undefined };
      },
    });
  const leaveSome = (step: Request) =>
    change(step, directoryActor, {
      ...shared,
      decide: ({ before, joined }) => {
        const some = joined.slice(0, membershipsAtOnce);
        const { writes } = users.buildUpdateEffects(before, withoutGroups(before.value, some));
        const effects = [{ writes, events: [] }, ...some.map((group) => buildMemberRemoval(group, id))];
        return { ...mergeEffects(effects), result: before.version + 1 };
      },
    });
  await runInParts(request, deleteAll, leaveSome);
  forgetUser(request, id);
}

function withoutManagement({ scimId: _id, externalId: _externalId, provisioned: _provisioned, ...user }: User): User {
  return { ...user, isDeactivated: true };
}

function withoutGroups(user: User, left: readonly Versioned<Group>[]): User {
  return { ...user, groups: user.groups.filter((id) => !left.some(({ value }) => value.id === id)) };
}

function buildMemberRemoval(before: Versioned<Group>, userId: number): Effects {
  const { id: groupId, name: groupName, members } = before.value;
  const after = { ...before.value, members: members.filter((member) => member.userId !== userId) };
  const removal: Effects = {
    writes: [],
    events: [{ type: 'group-user-removed', preData: { groupId, groupName, userId } }],
  };
  return mergeEffects([groups.buildUpdateEffects(before, after), removal]);
}
