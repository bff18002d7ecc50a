import { itemKey, type Key, type Partition, padId } from '../store/client/definition.ts';

/* The keys and partitions of sign-in. */

/** The credentials of a user. */
export const signIn = (userId: number) => itemKey(`SIGN_IN#${padId(userId)}`, 'SIGN_IN');
/** The mark of a user whose address is unverified. */
export const claimedAddress = (userId: number) => itemKey(`SIGN_IN#${padId(userId)}`, 'CLAIMED_ADDRESS');

/** The sessions of a user. */
export const sessions = (userId: number): Partition => ({ pk: `SESSIONS#${padId(userId)}` });
export const session = (userId: number, hash: string): Key => ({ ...sessions(userId), sk: hash });

/** A sign-on that is under way at an identity provider. */
export const signOn = (id: string) => itemKey(`SIGN_ONS#${id}`, 'SIGN_ON');

export const invitations = (): Partition => ({ pk: 'INVITATIONS' });
/** The mark of a user who came by an invitation. */
export const invited = (secret: string, userId: number) => itemKey('INVITATIONS', `USER#${secret}#${padId(userId)}`);

export const signIns = (): Partition => ({ pk: 'SIGN_INS' });
/** A sign-in or an attempt. */
export const historyEntry = (id: number) => itemKey('SIGN_INS', padId(id));
/** Recent attempts at something, under a hash of the person or address that tries. */
export const attempts = (hash: string) => itemKey(`ATTEMPTS#${hash}`, 'ATTEMPTS');
