/** How far a thing has come. */
export interface Revision {
  readonly version: number;
  /** The last event that tells of it; unknown of what release 0.1 wrote, and of what a seed or an import wrote. */
  readonly lastEventId?: number;
}

/** What an operation results in, and the version of the thing that it reads or changes. */
export interface Versioned<T> extends Revision {
  readonly value: T;
  /** The version of what else the value shows, for what is read: its ETag is another one when that changes. */
  readonly shownVersion?: number;
}
