import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { describeError } from '../../problem.ts';
import { damageError } from './store-error.ts';

const flush = promisify(fdatasync);

/**
 * The file to which SQLite adds what is committed before it moves it into its own. SQLite itself would wait for the disk on
 * the main thread, which answers nobody meanwhile.
 */
export class LogFile {
  readonly #file: number;
  #underWay: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(path: string) {
    // To be written, since Windows flushes no other.
    this.#file = openSync(path, 'r+');
  }

  /** Waits until all that is in the file now is on disk. Those who come while that is under way share the next one. */
  flushed(): Promise<void> {
    this.#next ??= this.#flushNext();
    return this.#next;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** After one that failed, all fail: the system may have dropped what the disk did not take, and say so only once. */
  async #flushNext(): Promise<void> {
    await this.#underWay;
    this.#next = undefined;
    this.#underWay = flush(this.#file).catch((error) => {
      throw damageError(
        `The disk has not kept what it had taken (${describeError(error)}): look after it, and start the server again.`,
      );
    });
    await this.#underWay;
  }
}
