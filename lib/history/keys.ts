import { itemKey, keysIn, type Partition, padId } from '../store/client/definition.ts';

/* The keys and lists of seals. */

export const seals = (): Partition => ({ pk: 'SEALS' });
/** The head of a seal. Its leaves have an item of their own, so that a list of all seals stays small. */
export const seal = keysIn(seals());
export const sealLeaves = (number: number) => itemKey(`SEAL#${padId(number)}`, 'LEAVES');
