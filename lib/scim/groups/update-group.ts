import { mergeEffects } from '../../entity/effects.ts';
import { notFound } from '../../errors.ts';
import { directoryActor } from '../../events/actor.ts';
import { groups } from '../../identity/groups.ts';
import { buildMemberEffects, changeMembers, withMembers } from '../../people/groups/change-members.ts';
import type { Request } from '../../request.ts';
import { type Versioned, versionAfter } from '../../store/transactions/versioned.ts';
import { groupKind, type ScimResource } from '../attributes.ts';
import { type LinkBase, parseScimId, type StoredResource, scimIdOf } from '../present.ts';
import { loadManagedGroup } from './find-groups.ts';
import {
  type GroupResource,
  groupResourceOf,
  listWantedMembers,
  readGroup,
  withDirectoryContent,
} from './group-resource.ts';
import { createMemberFilter, loadMemberChange, type MemberFilter } from './load-member-change.ts';

/**
 * Changes a group. More than 40 changes of members take several transactions. If the request is interrupted and sent again, it completes.
 * @param revise returns the resource after the change.
 * @throws ApiError 404 for an unknown group; 409 for a name or external id in use; 400 for too many members; 412 if `If-Match` does not
 * match; and the errors of `revise`.
 */
export async function updateProvisionedGroup(
  request: Request,
  scimId: string,
  revise: (resource: ScimResource) => ScimResource,
  links: LinkBase,
): Promise<Versioned<StoredResource>> {
  const id = parseScimId(groupKind, scimId);
  if (id === undefined) throw notFound('group', scimId);
  return reviseGroup(request, id, (resource) => readGroup(revise(resource)), createMemberFilter(request), links);
}

/** Changes a group as `updateProvisionedGroup` does. */
export function reviseGroup(
  request: Request,
  id: number,
  revise: (resource: ScimResource) => GroupResource,
  keepManaged: MemberFilter,
  links: LinkBase,
): Promise<Versioned<StoredResource>> {
  const load = async () => {
    const before = await loadManagedGroup(request, scimIdOf(groupKind, id));
    const wanted = revise(groupResourceOf(before, links).resource);
    const members = await keepManaged(before.value, listWantedMembers(wanted));
    return { ...(await loadMemberChange(request, before, members)), wanted, members };
  };
  return changeMembers(request, directoryActor, id, load, (memberChange, at) => {
    const { before, wanted, members } = memberChange;
    const content = withDirectoryContent(before.value, wanted, members, at);
    const group = withMembers(content, memberChange, directoryActor, at);
    const effects = mergeEffects([groups.buildUpdateEffects(before, group), buildMemberEffects(group, memberChange)]);
    const { version } = versionAfter(before, effects);
    return { ...effects, result: { value: groupResourceOf({ value: group, version }, links), version } };
  });
}
