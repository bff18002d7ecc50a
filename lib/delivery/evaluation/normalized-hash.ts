import { hashAfter } from './murmur-hash.ts';

/** Seed of the hash that chooses a variant, so that it does not depend on the hash that decides a rollout. */
const variantSeed = 86_028_157;

/** The place of somebody with an id, the same in every SDK. */
type PositionOf = (id: string) => number;

/** Returns the percentage from which on a rollout of a group reaches somebody: from 1 to 100. */
export function rolloutPositions(groupId: string): PositionOf {
  return positions(groupId, 100, 0);
}

/** Returns the place of somebody among the weights of variants: from 1 to their sum. */
export function variantPositions(groupId: string, totalWeight: number): PositionOf {
  return positions(groupId, totalWeight, variantSeed);
}

/** The normalised hash of Unleash's client specification. */
function positions(groupId: string, count: number, seed: number): PositionOf {
  const hash = hashAfter(`${groupId}:`, seed);
  return (id) => (hash(id) % count) + 1;
}
