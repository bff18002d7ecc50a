/** The version of a thing. */
export interface Versions {
  readonly version: number;
  /** The id of its last event; missing if a seed or an import wrote it. */
  readonly lastEventId?: number;
}

/** A result with the version of the thing that was read or changed. */
export interface Versioned<T> extends Versions {
  readonly value: T;
  /**
   * A digest of everything else that the value contains, in digits, letters and dashes, which becomes part of the ETag. True if the
   * ETag depends on the whole reply.
   */
  readonly shown?: string | true;
}

/** Returns the version of a thing that was not changed. */
export function sameVersion({ version }: Versions): Versioned<void> {
  return { value: undefined, version };
}

/** Returns the version of a thing after one change. */
export function nextVersion({ version }: Versions): Versioned<void> {
  return { value: undefined, version: version + 1 };
}

/** Returns the version of a thing after its change, or the same one if there was nothing to write. */
export function versionAfter(before: Versions, { writes }: { readonly writes: readonly unknown[] }): Versioned<void> {
  return writes.length === 0 ? sameVersion(before) : nextVersion(before);
}
