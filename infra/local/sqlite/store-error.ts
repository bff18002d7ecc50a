import { basename } from 'node:path';
import { damagedStoreName } from '../../../lib/store/client/in-process.ts';
import { describeError } from '../../problem.ts';

/** An error of DynamoDB's protocol. */
export class StoreError extends Error {
  readonly status: number;
  /** Further members of the answer. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(name: string, message: string, details: Readonly<Record<string, unknown>> = {}, status = 400) {
    super(message);
    this.name = name;
    this.status = status;
    this.details = details;
  }
}

export function badRequest(message: string): StoreError {
  return new StoreError('ValidationException', message);
}

/** Returns an error that persists after retries. Its message tells the operator what to do. */
export function damageError(message: string): StoreError {
  return new StoreError(damagedStoreName, message, {}, 500);
}

/** Returns the error for a damaged file, with the message of SQLite. */
export function fileDamageError(file: string | undefined, error: unknown): StoreError {
  return damageError(`${describeError(error)}: move ${file} away while no server runs, and restore a backup.`);
}

export const describeForeignFile = (file: string) => `${basename(file)} is the database of another application`;
