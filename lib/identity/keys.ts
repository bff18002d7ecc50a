import { itemKey, keysIn, type Partition } from '../store/client/definition.ts';

/* The keys and lists of people. */

export const username = (username: string) => itemKey('USERNAMES', username);
/** The key of an e-mail address, in lower case: mail to any spelling reaches the same person. */
export const userEmail = (email: string) => itemKey('USER_EMAILS', email.toLowerCase());
/**
 * A name that a user signs in with (user name or address): in lower case and in Unicode's compatible form, so that full-width
 * letters and ligatures are no other name.
 */
export const signInName = (name: string) => itemKey('SIGN_IN_NAMES', name.normalize('NFKC').toLowerCase());
export const access = (): Partition => ({ pk: 'ACCESS' });

/** State that an admin UI keeps for a user. */
export const uiState = (userId: number, kind: 'FEEDBACK' | 'SPLASH', id: string) =>
  itemKey(`UI_STATE#${userId}`, `${kind}#${id}`);
export const allUiState = (userId: number): Partition => ({ pk: `UI_STATE#${userId}` });

/** The users and the groups that a directory manages, one empty item each, so that they can be counted and listed in pages. */
export const provisionedUsers = (): Partition => ({ pk: 'SCIM_USERS' });
export const provisionedUser = /* @__PURE__ */ keysIn({ pk: 'SCIM_USERS' });
export const provisionedGroups = (): Partition => ({ pk: 'SCIM_GROUPS' });
export const provisionedGroup = /* @__PURE__ */ keysIn({ pk: 'SCIM_GROUPS' });
/** The id of a user or a group in a directory. */
export const externalUser = (id: string) => itemKey('SCIM_EXTERNAL_IDS', `USER#${id}`);
export const externalGroup = (id: string) => itemKey('SCIM_EXTERNAL_IDS', `GROUP#${id}`);
/** The name that a directory has for a group, in any case. */
export const directoryGroupName = (name: string) => itemKey('SCIM_GROUP_NAMES', name.toLowerCase());
