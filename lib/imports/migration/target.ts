import type { Versioned } from '../../store/transactions/versioned.ts';

/** Counters of ids that other things of a server refer to. */
type Counter = 'segment' | 'role' | 'user' | 'group';

/**
 * The things of this store that others refer to: the ids that they have here and, in a plan, the things that do not exist
 * yet. A migration that writes reads those from the store.
 */
export class MigrationTarget {
  readonly #isPlan: boolean;
  readonly #planned = new Map<string, Map<string | number, Versioned<object>>>();
  readonly #ids = new Map<string, Map<number, number>>();

  constructor(isPlan: boolean) {
    this.#isPlan = isPlan;
  }

  /** Notes a planned thing. */
  plan(kind: string, id: string | number, thing: Versioned<object>): void {
    if (!this.#isPlan) return;
    const planned = this.#planned.get(kind) ?? new Map();
    this.#planned.set(kind, planned.set(id, thing));
  }

  /** Returns the things of a kind by id, with the planned ones in place of the stored ones. */
  withPlanned<Id extends string | number, T extends object>(
    kind: string,
    stored: Iterable<readonly [Id, Versioned<T>]>,
  ): Map<Id, Versioned<T>> {
    const planned = (this.#planned.get(kind) ?? new Map()) as ReadonlyMap<Id, Versioned<T>>;
    return new Map([...stored, ...planned]);
  }

  /** Notes the id that a thing of the server has here. */
  noteId(counter: string, sourceId: number, id: number): void {
    const ids = this.#ids.get(counter) ?? new Map();
    this.#ids.set(counter, ids.set(sourceId, id));
  }

  /** Returns the id that a thing of the server has here; undefined if it was not imported. */
  idOf(counter: Counter, sourceId: number): number | undefined {
    return this.#ids.get(counter)?.get(sourceId);
  }
}
