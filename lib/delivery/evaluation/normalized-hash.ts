import type { WorkBudget } from './budget.ts';

/**
 * Returns MurmurHash3 (x86, 32 bits) of texts that begin with the same one, whose part is computed once. Of each UTF-16 unit
 * it takes the lower byte, as `murmurhash3js` does, which the SDKs for JavaScript use.
 */
export function hashAfter(beginning: string, seed: number): (text: string) => number {
  const inBlocks = beginning.length & ~3;
  const rest = beginning.slice(inBlocks);
  const begun = withBlocks(seed, beginning);
  return (text) => {
    const last = rest + text;
    let block = 0;
    for (let at = last.length & ~3; at < last.length; at += 1) block |= byte(last, at) << (8 * (at & 3));
    return finished(withBlocks(begun, last) ^ scrambled(block) ^ (inBlocks + last.length));
  };
}

/** A hash after the whole blocks of a text, of four bytes each. */
function withBlocks(begun: number, text: string): number {
  let hash = begun;
  for (let at = 3; at < text.length; at += 4) {
    const block = byte(text, at - 3) | (byte(text, at - 2) << 8) | (byte(text, at - 1) << 16) | (byte(text, at) << 24);
    hash ^= scrambled(block);
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  return hash;
}

const byte = (text: string, at: number) => text.charCodeAt(at) & 0xff;

function scrambled(block: number): number {
  const product = Math.imul(block, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

/** Lets each bit of a hash depend on all of them. */
function finished(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Seed of the hash that chooses a variant, so that it does not depend on the hash that decides a rollout. */
const variantSeed = 86_028_157;

/** The place of somebody with an id, the same in every SDK. It throws where the budget does not suffice for the id. */
type PositionOf = (id: string, budget: WorkBudget) => number;

/** Nanoseconds that a character of an id takes. */
const workPerCharacter = 5;

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
  return (id, budget) => {
    budget.spend(workPerCharacter * id.length);
    return (hash(id) % count) + 1;
  };
}
