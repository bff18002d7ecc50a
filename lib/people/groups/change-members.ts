import { change, type Decision } from '../../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../../entity/effects.ts';
import { runInParts, tooLargeForTransaction } from '../../entity/phases.ts';
import type { Actor } from '../../events/actor.ts';
import type { NewEvent } from '../../events/event.ts';
import { type Account, buildAccountUpdate } from '../../identity/accounts.ts';
import { type Group, groups } from '../../identity/groups.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';

/** The maximum number of members that one transaction adds or removes; each needs one of its 100 writes. */
export const membersAtOnce = 40;

/** A group and the changes of its members. */
export interface MemberChange {
  readonly before: Versioned<Group>;
  readonly added: readonly number[];
  readonly removed: readonly number[];
  /** Marks members whom a directory adds, which will remove them again. */
  readonly areProvisioned?: true;
  /** Removes some roles beforehand, if they are too many for the transaction that deletes the group. */
  readonly partialRemoval?: Effects | undefined;
  /** The accounts that the next transaction adds or removes, and possibly others. */
  readonly accounts: ReadonlyMap<number, Versioned<Account>>;
}

/** Changes a group and its members. Changes of members that do not fit into the last transaction are made in earlier ones. */
export function changeMembers<Loaded extends MemberChange, Result>(
  request: Request,
  actor: Actor,
  id: number,
  load: () => Promise<Loaded>,
  decide: (memberChange: Loaded, at: string) => Decision<Result>,
): Promise<Result> {
  const shared = { items: [groups.keyOf(id)], read: load, revisionOf: ({ before }: Loaded) => before };
  const changeAll = (partRequest: Request) =>
    change<Loaded, Result | typeof tooLargeForTransaction>(partRequest, actor, {
      ...shared,
      likelyEvents: 4,
      decide: (memberChange, at) => {
        const { partialRemoval, added, removed } = memberChange;
        const isTooMuch = partialRemoval !== undefined || added.length + removed.length > membersAtOnce;
        return isTooMuch ? { ...noEffects, result: tooLargeForTransaction } : decide(memberChange, at);
      },
    });
  const changePart = (partRequest: Request) =>
    change(partRequest, actor, {
      ...shared,
      likelyEvents: membersAtOnce + 1,
      decide: (memberChange, at) => {
        const { before, partialRemoval } = memberChange;
        if (partialRemoval !== undefined) return { ...partialRemoval, result: before.version + 1 };
        const removed = memberChange.removed.slice(0, membersAtOnce);
        const chunk = { ...memberChange, removed, added: memberChange.added.slice(0, membersAtOnce - removed.length) };
        const group = withMembers(before.value, chunk, actor, at);
        return {
          ...mergeEffects([groups.buildUpdateEffects(before, group), buildMemberEffects(group, chunk)]),
          result: before.version + 1,
        };
      },
    });
  return runInParts(request, changeAll, changePart);
}

type MemberDiff = Pick<MemberChange, 'added' | 'removed' | 'areProvisioned'>;

/** Returns a group with changed members. */
export function withMembers(
  group: Group,
  { added, removed, areProvisioned }: MemberDiff,
  actor: Actor,
  at: string,
): Group {
  if (added.length + removed.length === 0) return group;
  const others = group.members.filter(({ userId }) => !removed.includes(userId));
  const members = added.map((userId) => ({
    userId,
    joinedAt: at,
    createdBy: actor.name,
    ...(areProvisioned && { isProvisioned: true as const }),
  }));
  return { ...group, members: [...others, ...members] };
}

/** Builds the updates of the accounts, which store the ids of their groups, and the events. */
export function buildMemberEffects(
  { id, name }: Group,
  { added, removed, accounts }: Omit<MemberChange, 'before'>,
): Effects {
  const writes = [...added, ...removed].flatMap((userId) => {
    const account = accounts.get(userId);
    if (account === undefined) return [];
    const others = account.value.groups.filter((group) => group !== id);
    return buildAccountUpdate(account, { ...account.value, groups: added.includes(userId) ? [...others, id] : others })
      .writes;
  });
  const dataOf = (userId: number) => ({ groupId: id, groupName: name, userId });
  return {
    writes,
    events: [
      ...added.map((userId): NewEvent => ({ type: 'group-user-added', data: dataOf(userId) })),
      ...removed.map((userId): NewEvent => ({ type: 'group-user-removed', preData: dataOf(userId) })),
    ],
  };
}
