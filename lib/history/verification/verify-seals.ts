import type { Checkpoint } from '../checkpoint-schema.ts';
import { hashSeal, type Seal } from '../seal.ts';
import type { FindingList } from './findings.ts';

/** The leaves of a seal as they are stored, computed while they were read. */
export interface StoredLeaves {
  readonly count: number;
  readonly root: string;
}

/**
 * Verifies that each seal has the leaves of its root, and the hash of the seal before.
 * @param seals by number.
 */
export function verifySeals(
  seals: readonly Seal[],
  leaves: ReadonlyMap<number, StoredLeaves>,
  findings: FindingList,
): void {
  let before: Pick<Seal, 'number' | 'hash'> = { number: 0, hash: '' };
  for (const seal of seals) {
    const { number, at } = seal;
    const problem = findProblem(seal, before, leaves.get(number));
    if (problem !== undefined) findings.add({ seal: number, at, problem });
    before = seal;
  }
  const numbers = new Set(seals.map(({ number }) => number));
  for (const number of leaves.keys()) {
    if (!numbers.has(number)) findings.add({ seal: number, problem: 'it was removed: only its leaves are left' });
  }
}

function findProblem(
  seal: Seal,
  before: Pick<Seal, 'number' | 'hash'>,
  leaves: StoredLeaves | undefined,
): string | undefined {
  const { number, previous, hash, root, count } = seal;
  if (number !== before.number + 1) return `the seals from ${before.number + 1} to ${number - 1} are missing`;
  if (hash !== hashSeal(seal)) return 'it was altered: its hash does not match it';
  if (previous !== before.hash) return 'it does not continue the seal before: one of the two was altered';
  if (leaves === undefined) return 'the list of its events is missing';
  return leaves.root === root && leaves.count === count ? undefined : 'the list of its events was altered';
}

/**
 * Verifies that the seals have the hashes that checkpoints name.
 * @returns the number of the last seal whose hash a checkpoint confirms; 0 for none.
 */
export function verifyCheckpoints(
  seals: ReadonlyMap<number, Seal>,
  checkpoints: readonly Checkpoint[],
  findings: FindingList,
): number {
  let confirmed = 0;
  let isBroken = false;
  for (const { number, at, hash } of checkpoints.toSorted(byNumberAndMatch(seals))) {
    const seal = seals.get(number);
    const range = number === confirmed + 1 ? `seal ${number}` : `one of the seals ${confirmed + 1} to ${number}`;
    if (seal === undefined) {
      const problem = `the checkpoint of ${at} knows seal ${number}, which is missing with all that it lists`;
      findings.add({ seal: number, problem });
    } else if (hashSeal(seal) === hash) {
      if (!isBroken) confirmed = number;
      continue;
    } else if (number === confirmed) {
      const problem = `two checkpoints have different hashes of seal ${number}: the history was rewritten, or restored from a backup, after the one of ${at}`;
      findings.add({ problem });
      continue;
    } else if (!isBroken) {
      const problem = `the history was rewritten: an event in ${range} is not what the checkpoint of ${at} says`;
      findings.add({ seal: number, problem });
    }
    isBroken = true;
  }
  return confirmed;
}

/** Returns the order of checkpoints by number, and of those with the same number: first the ones that have the hash of their seal. */
function byNumberAndMatch(seals: ReadonlyMap<number, Seal>): (a: Checkpoint, b: Checkpoint) => number {
  const isMatch = ({ number, hash }: Checkpoint) => {
    const seal = seals.get(number);
    return seal !== undefined && hashSeal(seal) === hash;
  };
  return (a, b) => a.number - b.number || Number(isMatch(b)) - Number(isMatch(a));
}
