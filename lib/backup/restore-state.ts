import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';

/** The state of a restore, in the store that it fills. */
export interface RestoreState {
  /** SHA-256 of the backup's content. */
  readonly sha256: string;
  /** Id of the process that carries it out. A process that continues the restore writes its own id. */
  readonly run: string;
  /** True if it may replace a store that is in use. */
  readonly replaces: boolean;
  /** True once all earlier items are removed. */
  readonly isEmptied: boolean;
  /** The number of items that are certainly written. */
  readonly written: number;
}

/** Reads the state of an unfinished restore; undefined where there is none. */
export function findRestoreState(request: Request): Promise<RestoreState | undefined> {
  return readItem<RestoreState>(request, keys.restoring());
}

/** @throws ApiError 409 for a store whose restore is unfinished, since a part of its content is missing. */
export async function assertWhole(request: Request): Promise<void> {
  if ((await findRestoreState(request)) === undefined) return;
  throw new ApiError(
    'ConflictError',
    'A restore into this store is unfinished: run "npm run restore" with the same file again.',
  );
}
