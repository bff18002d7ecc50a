import { change } from '../../entity/change.ts';
import { together } from '../../entity/step.ts';
import { forSteps } from '../../entity/steps.ts';
import { systemUser } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { forgetUser } from '../../identity/caller.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';

/** Number of groups changed per transaction, with two events each. */
const groupsAtOnce = 25;
/** Most members of a group: as many as an administrator may name; an item holds no more than twice that. */
const membersMax = 2_000;
/** Author of such members, under Unleash's name. */
const signOnName = 'SSO';

/**
 * Makes a user a member of the groups that are mapped to those of an identity provider, and removes them from the
 * others that they joined that way; memberships given by administrators stay. One transaction with its events, if no
 * more than 25 groups change.
 * @param external names of their groups at the identity provider.
 * @throws ApiError 404 for an unknown user.
 */
export async function syncGroups(request: Request, userId: number, external: readonly string[]): Promise<void> {
  for (let isWhole = false; !isWhole; ) {
    isWhole = await change(forSteps(request), systemUser, {
      of: [users.keyOf(userId)],
      likelyEvents: 2,
      read: async () => {
        const [all, user] = await Promise.all([groups.listVersioned(request), users.load(request, userId)]);
        return { all, user };
      },
      revisionOf: () => undefined,
      decide: ({ all, user }, at) => {
        const changes = changesOf(all, userId, new Set(external), at);
        const now = changes.slice(0, groupsAtOnce);
        const left = now.flatMap(({ isJoined, after }) => (isJoined ? [] : [after.id]));
        const joined = now.flatMap(({ isJoined, after }) => (isJoined ? [after.id] : []));
        const memberships = [
          ...user.value.groups.filter((id) => !left.includes(id) && !joined.includes(id)),
          ...joined,
        ];
        const own = {
          writes: now.length === 0 ? [] : users.updated(user, { ...user.value, groups: memberships }).writes,
          events: now.map((each) => memberEvent(each, userId)),
        };
        return {
          ...together([...now.map(({ before, after }) => groups.updated(before, after)), own]),
          result: now.length === changes.length,
        };
      },
    });
  }
  forgetUser(request, userId);
}

/** Change of a group that a user joins or leaves. */
interface MembershipChange {
  readonly isJoined: boolean;
  readonly before: Versioned<Group>;
  readonly after: Group;
}

function changesOf(all: readonly Versioned<Group>[], userId: number, external: ReadonlySet<string>, at: string) {
  return all.flatMap((before): MembershipChange[] => {
    const { value: group } = before;
    const isWanted = group.mappingsSSO.some((name) => external.has(name));
    const member = group.members.find((each) => each.userId === userId);
    if (isWanted && member === undefined && group.members.length < membersMax) {
      const added = { userId, joinedAt: at, createdBy: signOnName, isSignedOn: true } as const;
      return [{ isJoined: true, before, after: { ...group, members: [...group.members, added] } }];
    }
    if (isWanted || member?.isSignedOn !== true) return [];
    const members = group.members.filter((each) => each !== member);
    return [{ isJoined: false, before, after: { ...group, members } }];
  });
}

function memberEvent({ isJoined, after: { id, name } }: MembershipChange, userId: number): NewEvent {
  const data = { groupId: id, groupName: name, userId };
  return isJoined ? { type: 'group-user-added', data } : { type: 'group-user-removed', preData: data };
}
