import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { describeError } from '../../problem.ts';
import { damageError } from './store-error.ts';

const sync = promisify(fdatasync);

/**
 * The write-ahead log, to which SQLite appends commits before a checkpoint moves them into the database. It is flushed here, since
 * SQLite would block the main thread until the data are on disk.
 */
export class LogFile {
  readonly #file: number;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(path: string) {
    // Windows flushes only files that are opened for writing.
    this.#file = openSync(path, 'r+');
  }

  /** Waits until the current content of the file is on disk. Calls during a running flush share the next one. */
  flush(): Promise<void> {
    this.#next ??= this.#flushNext();
    return this.#next;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Flushes the log. After a failure, all later flushes fail: the system may have discarded the data, and reports that only once. */
  async #flushNext(): Promise<void> {
    await this.#running;
    this.#next = undefined;
    this.#running = sync(this.#file).catch((error) => {
      throw damageError(
        `The disk has failed to store changes (${describeError(error)}): check the disk, and restart the server.`,
      );
    });
    await this.#running;
  }
}
