import { ApiError } from '../errors.ts';
import type { Table } from './table.ts';

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

/**
 * Holds a thing to the versions that the caller expects, which travel with the table of the request.
 * @param what as the error calls it, e.g. `feature "checkout"`.
 * @throws ApiError 412 where it has none of them.
 */
export function requireVersion(
  { expectedVersions }: Pick<Table, 'expectedVersions'>,
  version: number,
  what: string,
): void {
  if (expectedVersions === undefined || expectedVersions.has(version)) return;
  throw new ApiError('PreconditionFailed', `The ${what} was changed since; read it again.`);
}
