/** The revision of a thing. */
export interface Versions {
  readonly version: number;
  /** Its last event; unknown of what a seed or an import wrote. */
  readonly lastEventId?: number;
}

/** The result of an operation, with the version of the thing that it reads or changes. */
export interface Versioned<T> extends Versions {
  readonly value: T;
  /**
   * A digest of what else the value shows, in digits, letters and dashes: its ETag is another one when that changes. True
   * where the whole reply determines it.
   */
  readonly shown?: string | true;
}

/** The version of what was left as it is. */
export function sameVersion({ version }: Versions): Versioned<void> {
  return { value: undefined, version };
}

/** The version of what was changed once. */
export function nextVersion({ version }: Versions): Versioned<void> {
  return { value: undefined, version: version + 1 };
}

/** The version of what was changed, unless nothing had to be written. */
export function versionAfter(before: Versions, { writes }: { readonly writes: readonly unknown[] }): Versioned<void> {
  return writes.length === 0 ? sameVersion(before) : nextVersion(before);
}
