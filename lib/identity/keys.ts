import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys and lists of people. */

export const username = (username: string) => itemKey('USERNAMES', username);
/** In lower case: mail to any spelling reaches the same person. */
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
