import { type BigIntStats, statSync } from 'node:fs';
import { damageError } from './store-error.ts';

/** Bytes that the log of a file must have. */
export interface LogBytes {
  /** As it was last looked at, which costs nothing. */
  readonly seen: () => number;
  /** As SQLite says now. */
  readonly now: () => number;
}

/**
 * Watches the file of a store and what SQLite keeps beside it, all of which this process has open. Removing or replacing one does
 * not stop SQLite from writing to it, where nobody finds it any more; nor does cutting off its log, of which the next start keeps
 * what is before the gap. The size of the file itself tells nothing: SQLite shortens it when another program asks it to.
 * @returns a check, which throws StoreError once one is no longer in its place, or the log is too short.
 */
export function watchFiles(file: string, logBytes: LogBytes): () => void {
  const log = `${file}-wal`;
  const paths = [file, log, `${file}-shm`];
  const opened = paths.map((path) => statOf(path)?.ino);
  return () => {
    const found = paths.map(statOf);
    const lost = paths.find((_path, index) => found[index]?.ino !== opened[index]);
    if (lost !== undefined) {
      throw damageError(
        `${lost} was removed or replaced while it was in use: stop the server, and put the store or a backup into an empty folder.`,
      );
    }
    if (sizeOf(found[1]) < logBytes.seen() && isCutOff(log, logBytes.now())) {
      throw damageError(
        `${log} was cut off while it was in use, and changes are lost: stop the server, and put a backup into an empty folder, or start it again without them.`,
      );
    }
  };
}

/** Looks once more: SQLite itself empties the log when another program asks it to, after it has said that nothing is in it. */
function isCutOff(log: string, leastBytes: number): boolean {
  return sizeOf(statOf(log)) < leastBytes;
}

/** Exactly, since the inodes of Windows are longer than a number. */
const statOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false });

const sizeOf = (found: BigIntStats | undefined) => Number(found?.size ?? 0);
