import { itemKey, type Partition } from '../store/client/definition.ts';

/* The keys and lists of people. */

export const username = (username: string) => itemKey('USERNAMES', username);
/** In small letters: mail to any spelling arrives at the same person. */
export const userEmail = (email: string) => itemKey('USER_EMAILS', email.toLowerCase());
/**
 * A name that one user signs in with (user name or address): in small letters, and in the form
 * that is the same for all that Unicode calls compatible, such as full-width letters and ligatures.
 */
export const signInName = (name: string) => itemKey('SIGN_IN_NAMES', name.normalize('NFKC').toLowerCase());
export const access = (): Partition => ({ pk: 'ACCESS' });

/** State of a user that an admin UI keeps. */
export const uiState = (userId: number, kind: 'FEEDBACK' | 'SPLASH', id: string) =>
  itemKey(`UI_STATE#${userId}`, `${kind}#${id}`);
export const allUiState = (userId: number): Partition => ({ pk: `UI_STATE#${userId}` });
