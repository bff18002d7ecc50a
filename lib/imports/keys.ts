import { itemKey, itemsUnder, type Key, keysIn } from '../store/client/definition.ts';

/* The keys and lists of seeds and of servers that were migrated. */

/** Counts the times that a seed has added something, so that two runs notice each other. */
export const seedRun = () => itemKey('STORE', 'SEED_RUN');
/** The events of a server that was migrated: which ids they have here, and how far they are here. */
export const migratedServer = (address: string) => itemKey('STORE', `MIGRATED#${address}`);
/** The things of a kind that came from a server which was migrated. */
export const arrivals = (address: string, kind: string) => itemsUnder('STORE', `CAME#${address}#${kind}#`);
/** The version that a thing had when a migration of a server wrote it. */
export const migratedThing = (address: string, kind: string, id: string | number): Key =>
  keysIn(arrivals(address, kind))(id);
