import { ApiError } from '../errors.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { readItem } from '../store/read.ts';

/** The state of a restore, in the store that it fills. */
export interface RestoreMark {
  /** The content of the backup, by its SHA-256. */
  readonly sha256: string;
  /** The process that carries it out; another one that goes on with it takes over. */
  readonly run: string;
  /** True if it replaces what somebody has used. */
  readonly replaces: boolean;
  /** True once nothing is left of what was there. */
  readonly isEmptied: boolean;
  /** The number of the backup's items that are written for certain. */
  readonly written: number;
}

/** Reads the state of a restore that has not come to its end; undefined where there is none. */
export function findRestoreMark(request: Request): Promise<RestoreMark | undefined> {
  return readItem<RestoreMark>(request, keys.restoring());
}

/** @throws ApiError 409 for a store that is being restored: it lacks a part of what it is to hold. */
export async function assertWhole(request: Request): Promise<void> {
  if ((await findRestoreMark(request)) === undefined) return;
  throw new ApiError(
    'ConflictError',
    'A restore into this store has not come to its end: run "npm run restore" with the same file again.',
  );
}
