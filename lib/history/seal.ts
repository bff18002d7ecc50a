import { sha256 } from '../values/sha256.ts';

/*
 * A seal lists the items of events that no earlier seal lists, and contains the hash of the seal before. So the last hash, which is
 * short enough to be kept elsewhere, stands for all sealed events. Verifiers outside compute these hashes, so they must not change.
 */

/** An item of events in a seal: the id of its first event, which no other item has, and its link, or else the hash of its content. */
export type Leaf = `${number}:${string}`;

/** The part of a seal that its hash covers. */
export interface SealHead {
  /** 1 for the first seal, then rising by one. */
  readonly number: number;
  /** The time at which it was made, ISO 8601. */
  readonly at: string;
  /** The time up to which everything is sealed with it, except for what is written late. */
  readonly upTo: string;
  /** The hash of the seal before; empty for the first. */
  readonly previous: string;
  /** The number of leaves. */
  readonly count: number;
  /** The root of the Merkle tree of its leaves. */
  readonly root: string;
}

/** The time by which an event may be older than the end of the last seal and still be listed by the next, since its transaction took long. */
export const lateMs = 60 * 60_000;

/** A seal as it is stored, without its leaves. */
export interface Seal extends SealHead {
  /** The hash of its head. */
  readonly hash: string;
  /** The lowest and the highest id in its leaves, by which an event is found. */
  readonly lowestId: number;
  readonly highestId: number;
  /** The highest id in this seal and all earlier ones. An import is sealed in the order of times, which may not be that of its ids. */
  readonly maxId?: number;
  /** The positions of the first and the last item in the index of events. */
  readonly first?: string;
  readonly last?: string;
}

/** Returns the highest id in a seal and all earlier ones. */
export function maxIdOf({ maxId, highestId }: Pick<Seal, 'maxId' | 'highestId'>): number {
  return maxId ?? highestId;
}

/** The leaves of a seal as they are stored: by rising id, one per line. */
export interface SealLeaves {
  readonly leaves: string;
}

/**
 * Builds the seal that follows another.
 * @param leaves at least one.
 */
export function buildSeal(
  before: Seal | undefined,
  leaves: readonly Leaf[],
  { at, upTo }: Pick<Seal, 'at' | 'upTo'>,
): Seal & SealLeaves {
  const sorted = leaves.toSorted((a, b) => idOfLeaf(a) - idOfLeaf(b));
  const { number = 0, hash: previous = '' } = before ?? {};
  const head = { number: number + 1, at, upTo, previous, count: sorted.length, root: computeRoot(sorted) };
  const [lowest, highest] = [sorted.at(0), sorted.at(-1)] as [Leaf, Leaf];
  const highestId = idOfLeaf(highest);
  const maxId = before === undefined ? highestId : Math.max(maxIdOf(before), highestId);
  const ids = { lowestId: idOfLeaf(lowest), highestId, maxId };
  return { ...head, hash: hashSeal(head), ...ids, leaves: sorted.join('\n') };
}

/** Returns the hash of a seal. */
export function hashSeal({ number, at, upTo, previous, count, root }: SealHead): string {
  return sha256(JSON.stringify(['seal', number, at, upTo, previous, count, root]), 'base64url');
}

/** Returns the leaves of a seal from their item. */
export function leavesOf({ leaves }: SealLeaves): Leaf[] {
  return leaves.split('\n') as Leaf[];
}

/** Returns the id of the first event of the item. */
export function idOfLeaf(leaf: Leaf): number {
  return Number(leaf.slice(0, leaf.indexOf(':')));
}

/** Returns the link, or the hash of the content, of the item. */
export function hashOfLeaf(leaf: Leaf): string {
  return leaf.slice(leaf.indexOf(':') + 1);
}

/**
 * Computes the root of the Merkle tree of leaves. A node with a single child passes it on, and leaves and nodes are hashed differently,
 * so that no list of leaves has the root of another.
 */
export function computeRoot(leaves: readonly string[]): string {
  let level = leaves.map(hashLeaf);
  while (level.length > 1) {
    level = hashLevel(level);
  }
  return level[0] ?? sha256('', 'base64url');
}

/** A step from a leaf to the root: the hash of the sibling, and its side. */
export interface PathStep {
  readonly side: 'left' | 'right';
  readonly hash: string;
}

/** Finds the steps from a leaf to the root of the tree. */
export function findPath(leaves: readonly string[], index: number): PathStep[] {
  const steps: PathStep[] = [];
  let level = leaves.map(hashLeaf);
  let at = index;
  while (level.length > 1) {
    const isLeft = at % 2 === 0;
    const sibling = level[isLeft ? at + 1 : at - 1];
    if (sibling !== undefined) steps.push({ side: isLeft ? 'right' : 'left', hash: sibling });
    level = hashLevel(level);
    at = Math.floor(at / 2);
  }
  return steps;
}

/** Returns the root to which the steps from a leaf lead. @internal */
export function followPath(leaf: string, steps: readonly PathStep[]): string {
  return steps.reduce(
    (node, { side, hash }) => (side === 'right' ? hashNode(node, hash) : hashNode(hash, node)),
    hashLeaf(leaf),
  );
}

/** Returns the hashes of the level above. A last node without a right neighbour moves up unchanged. */
function hashLevel(level: readonly string[]): string[] {
  return level.flatMap((left, index) => {
    if (index % 2 === 1) return [];
    const right = level[index + 1];
    return right === undefined ? left : hashNode(left, right);
  });
}

const hashLeaf = (leaf: string) => sha256(`leaf\n${leaf}`, 'base64url');
const hashNode = (left: string, right: string) => sha256(`node\n${left}\n${right}`, 'base64url');
