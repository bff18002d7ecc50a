import { keysIn, type Partition } from '../store/client/definition.ts';

/* The keys and lists of seals. */

export const seals = (): Partition => ({ pk: 'SEALS' });
/** The seals from a number on. */
export const seal = keysIn(seals());
