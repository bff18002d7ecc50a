import murmurHash3 from 'murmurhash3js';

/** Seed of the hash that chooses a variant, so that it does not depend on the hash that decides a rollout. */
const variantSeed = 86_028_157;

/** Returns the percentage from which on a rollout reaches somebody: from 1 to 100, the same in every SDK. */
export function rolloutPosition(groupId: string, id: string): number {
  return position(groupId, id, 100, 0);
}

/** Returns the place of somebody among the weights of variants: from 1 to their sum, the same in every SDK. */
export function variantPosition(groupId: string, id: string, totalWeight: number): number {
  return position(groupId, id, totalWeight, variantSeed);
}

/** The normalised hash of Unleash's client specification. */
function position(groupId: string, id: string, places: number, seed: number): number {
  return (murmurHash3.x86.hash32(`${groupId}:${id}`, seed) % places) + 1;
}
