import { mergeEffects } from '../../entity/effects.ts';
import { directoryActor } from '../../events/actor.ts';
import { groups } from '../../identity/groups.ts';
import { deleteGroup } from '../../people/groups/administer-groups.ts';
import { buildMemberEffects, changeMembers, withMembers } from '../../people/groups/change-members.ts';
import type { Request } from '../../request.ts';
import { loadManagedGroup } from './find-groups.ts';
import { withoutDirectoryContent } from './group-resource.ts';
import { loadMemberChange } from './load-member-change.ts';

/**
 * Deletes a group that the directory created. One that existed before stays with its roles, without the members of the directory.
 * @throws ApiError 404 for an unknown group; 412 if `If-Match` does not match.
 */
export async function withdrawGroup(request: Request, scimId: string): Promise<void> {
  const { value } = await loadManagedGroup(request, scimId);
  // People, tokens and imports can have the name of the directory.
  if (value.createdBy === directoryActor.name && !value.isLinked) return deleteGroup(request, directoryActor, value.id);
  const load = async () => loadMemberChange(request, await loadManagedGroup(request, scimId), []);
  await changeMembers(request, directoryActor, value.id, load, (memberChange, at) => {
    const { before } = memberChange;
    const group = withoutDirectoryContent(withMembers(before.value, memberChange, directoryActor, at));
    const effects = [groups.buildUpdateEffects(before, group), buildMemberEffects(group, memberChange)];
    return { ...mergeEffects(effects), result: undefined };
  });
}
