import { itemKey } from './client/definition.ts';

/*
 * The keys of what belongs to no subject. Each room has the keys and lists of its own things in its `keys.ts`; an entity is
 * stored under its kind, or in the partition that it declares (see lib/entity/entity.ts). Names cannot contain "#" (see
 * `name` in lib/values/primitives.ts), so no two things share a key; only the last part of a sort key holds free text.
 *
 * Each access pattern is a read by key or by partition, so it is strongly consistent. The one index is for the list of all
 * events, which may lag behind by a moment.
 *
 * Import these modules as a whole (`import * as featureKeys`): a bundle then holds only the keys that its function uses. What
 * is computed there is marked as pure for that reason.
 */

export const counter = (name: string) => itemKey(`COUNTER#${name}`, 'COUNTER');
/** Its presence says that the store has received what a fresh one holds. */
export const seeded = () => itemKey('STORE', 'SEEDED');
/** The number of the last migration that is complete, and how far the next one has come. */
export const migrations = () => itemKey('STORE', 'MIGRATIONS');
/** Its presence says that the store is being restored from a backup, and how far that has come. */
export const restoring = () => itemKey('STORE', 'RESTORING');
