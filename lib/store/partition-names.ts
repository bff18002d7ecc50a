import type { Key, Partition } from './client/definition.ts';

/* Names of partitions that both keys and lists need. */

/** Tokens are spread by the first digit of their hash, so that guessing many does not slow one partition down. */
export const tokenShard = (hash: string) => `TOKENS#${hash.slice(0, 1)}`;

/** The shelf of a project: its features for lists, and for SDKs. */
export const shelfPartition = (project: string) => `PROJECT#${project}#FEATURES`;

/** The times of the last evaluations of a project's features. */
export const seenPartition = (project: string) => `SEEN#${project}`;

/** Sorts as the number does. */
export const padded = (id: number) => String(id).padStart(16, '0');

/** The beginning of the marks of overrides; the id of no project contains a "#". */
export const overridePrefix = '#OVERRIDE#';

/** Returns the keys of what stands under its id in a partition, or in the part of it that a prefix names. */
export const keysIn =
  ({ pk, prefix = '' }: Partition) =>
  (id: string | number): Key => ({ pk, sk: `${prefix}${typeof id === 'number' ? padded(id) : id}` });

/** The favorites of a user. */
export const favoritesPartition = (userId: number) => `FAVORITES#${userId}`;

/** State of a user that an admin UI keeps. */
export const uiStatePartition = (userId: number) => `UI_STATE#${userId}`;

/** The sessions of a user. */
export const sessionsPartition = (userId: number) => `SESSIONS#${padded(userId)}`;

/** The referrers of a thing. */
export const referrersPartition = (kind: string, id: string) => `REFERRERS#${kind}#${id}`;

/** The things of a kind that came from a server which was migrated. */
export const arrivalsPartition = (address: string, kind: string) => ({
  pk: 'STORE',
  prefix: `CAME#${address}#${kind}#`,
});

/** The lanes of an integration. */
export const lanesPartition = (addon: number) => `SENDING#${padded(addon)}`;

/** The events that were sent to an integration. */
export const sentPartition = (addon: number) => `SENT#${padded(addon)}`;
