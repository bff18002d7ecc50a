import type { NewEvent } from '../events/event.ts';
import type { Write } from '../table/write.ts';
import type { Numbered } from './seed-state.ts';

/** One thing that a seed adds to a store: written whole, with its event, or not at all. */
export interface Addition {
  /** What it is, in words: "environment", "tag type". */
  readonly kind: string;
  readonly name: string;
  /** Its place in the seed file. */
  readonly path: string;
  readonly writes: readonly Write[];
  readonly event: NewEvent;
  /** The environments that one more project uses. */
  readonly usedEnvironments?: readonly string[];
  /** The number that it bears: its counter must not fall behind. */
  readonly number?: { readonly counter: Numbered; readonly value: number };
}
