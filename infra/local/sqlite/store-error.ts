import { basename } from 'node:path';
import { damagedStoreName } from '../../../lib/store/client/in-process.ts';
import { describeError } from '../../problem.ts';

/** A refusal in the words of DynamoDB's protocol. */
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

/** Returns an error that no retry gets past; its message tells the operator what to do. */
export function damageError(message: string): StoreError {
  return new StoreError(damagedStoreName, message, {}, 500);
}

/** Returns the error for what SQLite says of a damaged file. */
export function fileDamageError(file: string | undefined, error: unknown): StoreError {
  return damageError(`${describeError(error)}: move ${file} away while no server runs, and restore a backup.`);
}

export const ofAnother = (file: string) => `${basename(file)} is the database of another application`;
