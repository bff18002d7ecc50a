import { itemKey, type Key, keysIn, type Partition, padId } from '../store/client/definition.ts';

/* The keys and lists of seals and checkpoints. */

export const seals = (): Partition => ({ pk: 'SEALS' });
/** The head of a seal. Its leaves have an item of their own, so that a list of all seals stays small. */
export const seal = keysIn(seals());
export const sealLeaves = (number: number) => itemKey(`SEAL#${padId(number)}`, 'LEAVES');
export const isSeal = ({ pk }: Key): boolean => pk === seals().pk;
/** Returns the number of the seal whose leaves an item has; undefined for an item of another kind. */
export function numberOfLeaves({ pk }: Key): number | undefined {
  const number = /^SEAL#(.+)$/.exec(pk)?.[1];
  return number === undefined ? undefined : Number(number);
}

export const checkpoints = (): Partition => ({ pk: 'CHECKPOINTS' });
/** The checkpoint of a seal. */
export const checkpoint = keysIn(checkpoints());
/** The numbers of the checkpoints that are not in the bucket yet. */
export const unkeptCheckpoints = (): Partition => ({ pk: 'UNKEPT_CHECKPOINTS' });
export const unkeptCheckpoint = keysIn(unkeptCheckpoints());
export const checkpointsFrom = (number: number): Partition => ({
  ...checkpoints(),
  prefix: padId(number),
  end: padId(Number.MAX_SAFE_INTEGER),
});
export const sealsFrom = (from: number, to: number): Partition => ({
  ...seals(),
  prefix: padId(from),
  end: padId(to),
});
