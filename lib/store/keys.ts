import { itemKey } from './client/definition.ts';

/*
 * The keys of things that belong to no room. Every other key is in the `keys.ts` of its room; an entity is stored under its kind,
 * or in the partition that it declares (see lib/entity/entity-definition.ts). Names cannot contain "#" (see `name` in
 * lib/values/primitives.ts), so no two things share a key. Only the last part of a sort key can be free text.
 *
 * Every read is by key or by partition, and strongly consistent. The one index lists all events, and may lag behind by a moment.
 *
 * Import a module of keys as a whole (`import * as featureKeys`). The bundle of a function then contains only the keys that it
 * uses; computed values are marked as pure for that reason.
 */

export const counter = (name: string) => itemKey(`COUNTER#${name}`, 'COUNTER');
/** Present once the store has received its initial content. */
export const seeded = () => itemKey('STORE', 'SEEDED');
/** The number of the last completed migration, and the progress of the next one. */
export const migrations = () => itemKey('STORE', 'MIGRATIONS');
/** Present while the store is restored from a backup, with the progress. */
export const restoring = () => itemKey('STORE', 'RESTORING');
/** The position in a list at which the last call stopped; missing if that call reached the end. */
export const position = (list: string) => itemKey('STORE', `POSITION#${list}`);
