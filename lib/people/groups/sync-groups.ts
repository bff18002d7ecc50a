import { change } from '../../entity/change.ts';
import { mergeEffects } from '../../entity/effects.ts';
import { forLaterPhases } from '../../entity/phases.ts';
import { systemUser } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { forgetUser } from '../../identity/caller.ts';
import { type Group, groups } from '../../identity/groups.ts';
import { users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { isScimOn } from '../scim-locks.ts';
import { groupMembersMax } from './group-schema.ts';

/** Groups that a transaction changes. */
const groupsAtOnce = 25;
/** Unleash's name for the author of these memberships. */
const signOnAuthor = 'SSO';

/**
 * Makes a user a member of the groups that are mapped to their groups at an identity provider, and removes them from others that they
 * joined this way. Memberships by administrators stay. A group that a directory manages by SCIM gets no members this way, but loses those
 * who joined so before: the directory does not know them.
 * @param external the names of their groups at the identity provider.
 * @throws ApiError 404 for an unknown user.
 */
export async function syncGroups(request: Request, userId: number, external: readonly string[]): Promise<void> {
  for (let areAllGroupsChanged = false; !areAllGroupsChanged; ) {
    areAllGroupsChanged = await change(forLaterPhases(request), systemUser, {
      items: [users.keyOf(userId)],
      likelyEvents: 2,
      read: async () => {
        const [all, user, isOn] = await Promise.all([
          groups.listVersioned(request),
          users.load(request, userId),
          isScimOn(request),
        ]);
        return { all, user, isOn };
      },
      revisionOf: () => undefined,
      decide: ({ all, user, isOn }, at) => {
        const isManaged = ({ scimId }: Group) => isOn && scimId !== undefined;
        const changes = findMembershipChanges(all, userId, { external: new Set(external), isManaged, at });
        const first = changes.slice(0, groupsAtOnce);
        const changed = first.map(({ after }) => after.id);
        const memberships = [
          ...user.value.groups.filter((id) => !changed.includes(id)),
          ...first.flatMap(({ isJoined, after }) => (isJoined ? [after.id] : [])),
        ];
        const ofUser = {
          writes:
            first.length === 0 ? [] : users.buildUpdateEffects(user, { ...user.value, groups: memberships }).writes,
          events: first.map((membership) => buildMemberEvent(membership, userId)),
        };
        return {
          ...mergeEffects([...first.map(({ before, after }) => groups.buildUpdateEffects(before, after)), ofUser]),
          result: first.length === changes.length,
        };
      },
    });
  }
  forgetUser(request, userId);
}

/** A group that a user joins or leaves. */
interface MembershipChange {
  readonly isJoined: boolean;
  readonly before: Versioned<Group>;
  readonly after: Group;
}

interface SignOnGroups {
  readonly external: ReadonlySet<string>;
  readonly isManaged: (group: Group) => boolean;
  readonly at: string;
}

function findMembershipChanges(
  all: readonly Versioned<Group>[],
  userId: number,
  { external, isManaged, at }: SignOnGroups,
) {
  return all.flatMap((before): MembershipChange[] => {
    const { value: group } = before;
    const isWanted = group.mappingsSSO.some((name) => external.has(name));
    const member = group.members.find((other) => other.userId === userId);
    if (isWanted && member === undefined && !isManaged(group) && group.members.length < groupMembersMax) {
      const added = { userId, joinedAt: at, createdBy: signOnAuthor, isSignedOn: true } as const;
      return [{ isJoined: true, before, after: { ...group, members: [...group.members, added] } }];
    }
    const isOfDirectory = member?.isProvisioned === true && isManaged(group);
    if (isWanted || member?.isSignedOn !== true || isOfDirectory) return [];
    const members = group.members.filter((other) => other !== member);
    return [{ isJoined: false, before, after: { ...group, members } }];
  });
}

function buildMemberEvent({ isJoined, after: { id, name } }: MembershipChange, userId: number): NewEvent {
  const data = { groupId: id, groupName: name, userId };
  return isJoined ? { type: 'group-user-added', data } : { type: 'group-user-removed', preData: data };
}
