import { isServiceAccount, loadAccounts } from '../../identity/accounts.ts';
import { loadRightsSources, mergeRights } from '../../identity/caller.ts';
import * as peopleKeys from '../../identity/keys.ts';
import type { User } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { findIdsByUniqueKeys } from '../resource-ids.ts';
import { ScimError } from '../scim-error.ts';
import type { PersonResource } from './user-resource.ts';

/**
 * Finds the existing user who is the same person as a new one of the directory.
 * @throws ApiError 409 for a user that the directory manages already or who may be another person, and for a service account.
 */
export async function findLinkedUser(
  request: Request,
  { userName, externalId }: PersonResource,
  email: string | undefined,
): Promise<Versioned<User> | undefined> {
  const [byName, byAddress, byExternalId] = await Promise.all([
    findIdsByUniqueKeys(request, [peopleKeys.username(userName), peopleKeys.signInName(userName)]),
    email === undefined ? [] : findIdsByUniqueKeys(request, [peopleKeys.signInName(email)]),
    externalId === undefined ? [] : findIdsByUniqueKeys(request, [peopleKeys.externalUser(externalId)]),
  ]);
  const ids = [...new Set([...byName, ...byAddress, ...byExternalId])];
  const accounts = await loadAccounts(request, ids);
  const found = ids.flatMap((id) => accounts.get(id) ?? []);
  const taken = found.find(({ value }) => value.scimId !== undefined || isServiceAccount(value));
  if (taken !== undefined) {
    throw new ScimError(
      'uniqueness',
      `There is already a user with the name, address or external id of "${userName}".`,
    );
  }
  const [first, second] = found;
  if (second !== undefined) {
    throw new ScimError('uniqueness', `"${userName}" and its e-mail address belong to two different users.`);
  }
  const names = [userName, ...(email === undefined ? [] : [email])];
  if (first !== undefined && !(await isTheirAccount(request, first, names))) {
    throw new ScimError(
      'uniqueness',
      `A user with the name of "${userName}" may be another person. Give them the e-mail address of this person first.`,
    );
  }
  return first;
}

/**
 * Tells whether an existing user is the person with some names. The same address proves it, as for a sign-on. The same user name does not
 * prove it for anybody with more rights than a Viewer or a role in a project: an administrator of the directory could take over the account
 * by giving somebody that name. Any role in a project counts, since even a Reader sees it while it is private.
 */
async function isTheirAccount(request: Request, user: Versioned<User>, names: readonly string[]): Promise<boolean> {
  const own = [user.value.username, user.value.email].map((name) => name?.toLowerCase());
  const common = names.map((name) => name.toLowerCase()).filter((name) => own.includes(name));
  if (common.some((name) => name.includes('@'))) return true;
  if (common.length === 0) return false;
  // Roles of groups count, too.
  const rights = mergeRights(await loadRightsSources(request, user));
  return rights.everywhere.size === 0 && rights.projects.size === 0;
}
