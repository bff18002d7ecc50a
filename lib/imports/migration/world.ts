import type { Versioned } from '../../store/transactions/versioned.ts';

/** Kinds of things that have other ids here than on the server. */
type Numbered = 'segment' | 'role' | 'account' | 'group';

/**
 * Things that others refer to: their ids here, and, in a plan, those that do not exist yet. A migration that writes finds
 * these in the store.
 */
export class KnownHere {
  readonly #isPlan: boolean;
  readonly #planned = new Map<string, Map<string | number, Versioned<object>>>();
  readonly #ids = new Map<Numbered, Map<number, number>>();

  constructor(isPlan: boolean) {
    this.#isPlan = isPlan;
  }

  /** Notes a thing as it will be. */
  plan(kind: string, id: string | number, thing: Versioned<object>): void {
    if (!this.#isPlan) return;
    const known = this.#planned.get(kind) ?? new Map();
    this.#planned.set(kind, known.set(id, thing));
  }

  /** Returns the things of a kind by their ids: those of the store, as the plan leaves them. */
  withPlanned<Id extends string | number, T extends object>(
    kind: string,
    stored: Iterable<readonly [Id, Versioned<T>]>,
  ): Map<Id, Versioned<T>> {
    const planned = (this.#planned.get(kind) ?? new Map()) as ReadonlyMap<Id, Versioned<T>>;
    return new Map([...stored, ...planned]);
  }

  /** Notes the id that a thing of the server has here. */
  learn(kind: Numbered, there: number, here: number): void {
    const ids = this.#ids.get(kind) ?? new Map();
    this.#ids.set(kind, ids.set(there, here));
  }

  /** Returns the id that a thing of the server has here; undefined where it has not come over. */
  idOf(kind: Numbered, there: number): number | undefined {
    return this.#ids.get(kind)?.get(there);
  }
}
