import { change } from '../../entity/change.ts';
import { directoryActor } from '../../events/actor.ts';
import { forgetUser } from '../../identity/caller.ts';
import * as peopleKeys from '../../identity/keys.ts';
import { newUser, type User, users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import { confirmAddress, isAddressClaimed } from '../../sign-in/own-address.ts';
import * as keys from '../../store/keys.ts';
import { raiseCounter } from '../../store/transactions/transact.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { type ScimResource, userKind } from '../attributes.ts';
import { type StoredResource, scimIdOf } from '../present.ts';
import { loadAccessEnd } from './end-access.ts';
import { findLinkedUser } from './find-linked-user.ts';
import { buildPersonUpdate } from './update-user.ts';
import { namesOf, readPerson, userResourceOf, withPerson } from './user-resource.ts';

/**
 * Creates a user, or lets the directory manage an existing one with the same name or address, who keeps their roles.
 * @throws ApiError 409 if the directory manages a user with the name, address or external id; 400 for an invalid name or address, and
 * for the last Admin, who cannot be deactivated.
 */
export async function provisionUser(request: Request, resource: ScimResource): Promise<Versioned<StoredResource>> {
  const person = readPerson(resource);
  const { email } = namesOf(person, undefined);
  const result = await change(request, directoryActor, {
    items: [peopleKeys.signInName(person.userName)],
    read: async () => {
      const [linked, newId] = await Promise.all([
        findLinkedUser(request, person, email),
        raiseCounter(request, keys.counter('user'), 1),
      ]);
      const before = linked && (await withOwnAddress(request, linked));
      const ending = before && (await loadAccessEnd(request, before.value, person));
      return { before, ending, id: before?.value.id ?? newId };
    },
    revisionOf: ({ before }) => before,
    decide: ({ before, ending, id }, at) => {
      const managed = { ...(before?.value ?? newUser(id, undefined, at)), scimId: scimIdOf(userKind, id) };
      const user = withPerson(managed, { active: true, ...person }, at);
      if (before !== undefined) return buildPersonUpdate(before, user, ending);
      const { version, ...effects } = users.buildCreationEffects(user, at, 'retry');
      return { ...effects, result: { value: userResourceOf({ value: user, version }), version } };
    },
  });
  forgetUser(request, result.value.id);
  return result;
}

/**
 * Ends the access of a user who may have claimed the address of another person, since the directory gives roles to its true owner.
 * @returns the user afterwards.
 */
async function withOwnAddress(request: Request, linked: Versioned<User>): Promise<Versioned<User>> {
  const { id } = linked.value;
  if (!(await isAddressClaimed(request, id))) return linked;
  await confirmAddress(request, id);
  return users.load(request, id);
}
