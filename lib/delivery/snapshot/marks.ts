import { movesFrom, movesTo } from '../../features/items/shelf-items.ts';

/** Distinguishes one state of a shelf from all others. */
export interface Marks {
  /** The sum of the marks of all features. */
  readonly sum: number;
  /** Counts the changes; it never falls. */
  readonly revision: number;
  /** The sum of the marks of all features that came from other projects or went to them. */
  readonly moved: number;
  /**
   * The sums of the marks of features that came from other projects and went to them, as `movesFrom` and `movesTo` name them;
   * missing where they were not read.
   */
  readonly moves?: ReadonlyMap<string, number>;
}

/** One of the items that hold the marks of a project together. */
export interface MarkItem {
  readonly sum?: number;
  readonly r?: number;
  readonly moved?: number;
}

/** The marks of a project, without its moves. */
export function marksIn(items: readonly MarkItem[]): Marks {
  const marks = { sum: 0, revision: 0, moved: 0 };
  for (const { sum = 0, r = 0, moved = 0 } of items) {
    marks.sum += sum;
    marks.revision += r;
    marks.moved += moved;
  }
  return marks;
}

/** What has come to a project from others, and gone to them. */
export function movesIn(items: readonly MarkItem[]): Map<string, number> {
  const moves = new Map<string, number>();
  for (const item of items) {
    for (const [name, amount] of Object.entries(item)) {
      if (name.startsWith(movesFrom('')) || name.startsWith(movesTo(''))) {
        moves.set(name, (moves.get(name) ?? 0) + amount);
      }
    }
  }
  return moves;
}

/** Whether a shelf is as it was, moves apart. */
export function isSame(marks: Marks, { sum, revision }: Marks): boolean {
  return marks.sum === sum && marks.revision === revision;
}
