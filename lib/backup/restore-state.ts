import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';

/** The state of a restore, in the store that it fills. */
export interface RestoreState {
  /** SHA-256 of the backup's content. */
  readonly sha256: string;
  /** The id of the process that runs the restore. A process that continues it writes its own id. */
  readonly run: string;
  /** True if the restore may replace a store in use. */
  readonly replaces: boolean;
  /** True once all earlier items are removed. */
  readonly isEmptied: boolean;
  /** The number of items that are certainly written. */
  readonly written: number;
}

/** Reads the state of an unfinished restore; undefined if there is none. */
export function findRestoreState(request: Request): Promise<RestoreState | undefined> {
  return readItem<RestoreState>(request, keys.restoring());
}

/** Checks that no restore is unfinished, since a part of the content would be missing. @throws ApiError 409 if one is. */
export async function assertWhole(request: Request): Promise<void> {
  if ((await findRestoreState(request)) === undefined) return;
  throw new ApiError(
    'ConflictError',
    'A restore into this store is unfinished: run "npm run restore" with the same file again.',
  );
}
