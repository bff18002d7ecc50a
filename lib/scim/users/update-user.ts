import { change } from '../../entity/change.ts';
import { type Effects, mergeEffects, noEffects } from '../../entity/effects.ts';
import { directoryActor } from '../../events/actor.ts';
import { forgetUser } from '../../identity/caller.ts';
import { type User, users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import { buildLinkRemoval, loadRecord } from '../../sign-in/passwords/records.ts';
import { type Versioned, versionAfter } from '../../store/transactions/versioned.ts';
import { type ScimResource, userKind } from '../attributes.ts';
import { parseScimId, type StoredResource } from '../present.ts';
import { loadAccessEnd } from './end-access.ts';
import { loadManagedUser } from './find-users.ts';
import {
  namesOf,
  type PersonResource,
  personResourceOf,
  readPerson,
  userResourceOf,
  withPerson,
} from './user-resource.ts';

/**
 * Changes a user.
 * @param revise returns the resource after the change.
 * @throws ApiError 404 for an unknown user; 409 for a name, address or external id in use; 400 for the last Admin, who cannot be
 * deactivated; 412 if `If-Match` does not match; and the errors of `revise`.
 */
export async function updateProvisionedUser(
  request: Request,
  scimId: string,
  revise: (resource: ScimResource) => ScimResource,
): Promise<Versioned<StoredResource>> {
  const result = await change(request, directoryActor, {
    items: [users.keyOf(parseScimId(userKind, scimId) ?? 0)],
    read: async () => {
      const before = await loadManagedUser(request, scimId);
      const person = readPerson(revise({ ...personResourceOf(before.value) }));
      const [ending, links] = await Promise.all([
        loadAccessEnd(request, before.value, person),
        loadLinkRemoval(request, before.value, person),
      ]);
      return { before, person, ending: ending ?? links };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, person, ending }, at) => {
      const active = person.active ?? !before.value.isDeactivated;
      return buildPersonUpdate(before, withPerson(before.value, { ...person, active }, at), ending);
    },
  });
  forgetUser(request, result.value.id);
  return result;
}

/** Loads the removal of links for choosing a password, since they may have been mailed to an address that the user loses. */
async function loadLinkRemoval(request: Request, user: User, person: PersonResource): Promise<Effects> {
  if (namesOf(person, user).email === user.email) return noEffects;
  return { writes: buildLinkRemoval(user.id, await loadRecord(request, user.id)), events: [] };
}

/** Builds the update of a user, whose access may end with it. */
export function buildPersonUpdate(before: Versioned<User>, after: User, ending: Effects = noEffects) {
  const effects = mergeEffects([ending, users.buildUpdateEffects(before, after)]);
  const { version } = versionAfter(before, effects);
  return { ...effects, result: { value: userResourceOf({ value: after, version }), version } };
}
