import { itemKey, itemsUnder, type Key, keysIn } from '../store/client/definition.ts';

/* The keys and lists of seeds and of servers that were migrated. */

/** The number of seeds that added something, by which concurrent seeds conflict. */
export const seedRun = () => itemKey('STORE', 'SEED_RUN');
/** The state of the migration of the events of a server. */
export const migratedServer = (address: string) => itemKey('STORE', `MIGRATED#${address}`);
/** The imported things of a kind and a server. */
export const arrivals = (address: string, kind: string) => itemsUnder('STORE', `CAME#${address}#${kind}#`);
/** The version that a migration gave to a thing. */
export const migratedThing = (address: string, kind: string, id: string | number): Key =>
  keysIn(arrivals(address, kind))(id);
