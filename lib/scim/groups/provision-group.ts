import { change } from '../../entity/change.ts';
import { mergeEffects } from '../../entity/effects.ts';
import { directoryActor } from '../../events/actor.ts';
import { loadAccounts } from '../../identity/accounts.ts';
import { type Group, groups } from '../../identity/groups.ts';
import * as peopleKeys from '../../identity/keys.ts';
import { buildMemberEffects, membersAtOnce, withMembers } from '../../people/groups/change-members.ts';
import { type Request, withoutIdempotencyRecord } from '../../request.ts';
import * as keys from '../../store/keys.ts';
import { raiseCounter } from '../../store/transactions/transact.ts';
import { type Versioned, versionAfter } from '../../store/transactions/versioned.ts';
import type { ScimResource } from '../attributes.ts';
import type { LinkBase, StoredResource } from '../present.ts';
import { findLinkedGroup } from './find-linked-group.ts';
import { groupNameOf, groupResourceOf, listWantedMembers, readGroup, withDirectoryContent } from './group-resource.ts';
import { createMemberFilter } from './load-member-change.ts';
import { reviseGroup } from './update-group.ts';

/**
 * Creates a group, or lets the directory manage an existing one. The existing one keeps its roles, and its new members get them. More than
 * 40 members take several transactions. If the request is interrupted and sent again, it completes.
 * @throws ApiError 409 if the directory manages a group with the name or external id, and for a group with roles but without a mapping; 400
 * for too many members.
 */
export async function provisionGroup(
  request: Request,
  resource: ScimResource,
  links: LinkBase,
): Promise<Versioned<StoredResource>> {
  const wanted = readGroup(resource);
  const keepManaged = createMemberFilter(request);
  const members = await keepManaged(undefined, listWantedMembers(wanted));
  const fitsOneTransaction = members.length <= membersAtOnce;
  const first = members.slice(0, membersAtOnce);
  const begun = await change(fitsOneTransaction ? request : withoutIdempotencyRecord(request), directoryActor, {
    items: [peopleKeys.directoryGroupName(wanted.displayName)],
    likelyEvents: 1 + first.length,
    read: async () => {
      const [before, accounts, newId] = await Promise.all([
        findLinkedGroup(request, wanted),
        loadAccounts(request, first),
        raiseCounter(request, keys.counter('group'), 1),
      ]);
      return { before, accounts, id: before?.value.id ?? newId };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, accounts, id }, at) => {
      const own: Group = before?.value ?? {
        ...{ id, name: groupNameOf(wanted), createdBy: directoryActor.name, createdAt: at },
        ...{ mappingsSSO: [], projectRoles: [], members: [] },
      };
      const isNewlyLinked = before !== undefined && before.value.scimId === undefined;
      const linked: Group = isNewlyLinked ? { ...own, isLinked: true } : own;
      const present = linked.members.map(({ userId }) => userId);
      const isManaged = (userId: number) => accounts.get(userId)?.value.scimId !== undefined;
      const added = first.filter((userId) => isManaged(userId) && !present.includes(userId));
      const diff = { added, removed: [], areProvisioned: true as const };
      const joined = withMembers(withDirectoryContent(linked, wanted, members, at), diff, directoryActor, at);
      const group = fitsOneTransaction ? joined : { ...joined, isUnfinished: true as const };
      const memberEffects = buildMemberEffects(group, { ...diff, accounts });
      const viewed = (version: number) => ({ value: groupResourceOf({ value: group, version }, links), version });
      if (before === undefined) {
        const { version, ...created } = groups.buildCreationEffects(group, at, 'retry');
        return { ...mergeEffects([created, memberEffects]), result: viewed(version) };
      }
      const effects = mergeEffects([groups.buildUpdateEffects(before, group), memberEffects]);
      return { ...effects, result: viewed(versionAfter(before, effects).version) };
    },
  });
  return fitsOneTransaction ? begun : reviseGroup(request, begun.value.id, () => wanted, keepManaged, links);
}
