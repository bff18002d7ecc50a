import type { WorkBudget } from './budget.ts';

/**
 * Builds a function that hashes texts with a common beginning by MurmurHash3 (x86, 32 bits). The beginning is hashed once. Only
 * the lower byte of each UTF-16 unit counts, as in `murmurhash3js`, which Unleash's SDKs for JavaScript use.
 * @internal
 */
export function buildHash(beginning: string, seed: number): (text: string) => number {
  const hashOfBeginning = hashOn({ hash: seed, block: 0, length: 0 }, beginning);
  return (text) => {
    const { hash, block, length } = hashOn(hashOfBeginning, text);
    return finish(hash ^ scramble(block) ^ length);
  };
}

/** A hash of the text so far: its length, the hash of its complete blocks of four bytes, and the bytes after those. */
interface PartialHash {
  readonly hash: number;
  readonly block: number;
  readonly length: number;
}

/** Continues a hash with a text, byte by byte: joining the text to what comes before would make a new text for each flag. */
function hashOn({ hash, block, length }: PartialHash, text: string): PartialHash {
  for (let at = 0; at < text.length; at += 1) {
    block |= (text.charCodeAt(at) & 0xff) << (8 * (length & 3));
    length += 1;
    if ((length & 3) > 0) continue;
    hash ^= scramble(block);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
    block = 0;
  }
  return { hash, block, length };
}

function scramble(block: number): number {
  const product = Math.imul(block, 0xcc9e2d51);
  return Math.imul((product << 15) | (product >>> 17), 0x1b873593);
}

/** Mixes a hash, so that each bit depends on all bits. */
function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Seed of the hash that chooses a variant, so that the choice is independent of the rollout. */
const variantSeed = 86_028_157;

/** Returns the position of an id, the same in every SDK. It throws if it exceeds the budget. */
type PositionOf = (id: string, budget: WorkBudget) => number;

/** Nanoseconds for each character of an id. */
const workPerCharacter = 5;

/** Builds the function that returns the position of an id in a rollout: from 1 to 100. The rollout includes all positions up to its percentage. */
export function buildRolloutPosition(groupId: string): PositionOf {
  return buildPosition(groupId, 100, 0);
}

/** Builds the function that returns the position of an id among the weights of variants: from 1 to their sum. */
export function buildVariantPosition(groupId: string, totalWeight: number): PositionOf {
  return buildPosition(groupId, totalWeight, variantSeed);
}

/** The normalised hash of Unleash's client specification. */
function buildPosition(groupId: string, count: number, seed: number): PositionOf {
  const hash = buildHash(`${groupId}:`, seed);
  return (id, budget) => {
    budget.spend(workPerCharacter * id.length);
    return (hash(id) % count) + 1;
  };
}
