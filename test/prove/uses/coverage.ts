import type { Item } from '../../harness/items.ts';
import { idsIn, type NamedKind, namings } from '../../invariants/namings.ts';

/** Record of the kinds of things that were named and deleted, so that a proof does not pass because nobody tried. */
export class Coverage {
  readonly #named = new Set<string>();
  readonly #deleted = new Set<NamedKind>();
  #before: ReturnType<typeof idsIn> | undefined;

  /** Looks at a table after some of the requests. */
  note(items: readonly Item[]): void {
    for (const { by, to, idsIn: namedIn } of namings) {
      if (items.some((item) => namedIn(item).length > 0)) this.#named.add(`${by} names a ${to}`);
    }
    const ids = idsIn(items);
    for (const [kind, before] of kindsOf(this.#before)) {
      if (!before.isSubsetOf(ids[kind])) this.#deleted.add(kind);
    }
    this.#before = ids;
  }

  /** Starts over with another table. */
  startOver(): void {
    this.#before = undefined;
  }

  /** Lists the kinds that were left out so far. */
  missing(): string[] {
    const unnamed = namings.map(({ by, to }) => `${by} names a ${to}`).filter((each) => !this.#named.has(each));
    const kinds = new Set(namings.map(({ to }) => to));
    return [
      ...unnamed.map((each) => `No request made it so that ${each}.`),
      ...[...kinds].filter((kind) => !this.#deleted.has(kind)).map((kind) => `No request deleted a ${kind}.`),
    ];
  }
}

function kindsOf(ids: ReturnType<typeof idsIn> | undefined) {
  return Object.entries(ids ?? {}) as [NamedKind, ReadonlySet<string>][];
}
