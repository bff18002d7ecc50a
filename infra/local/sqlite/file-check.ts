import { type BigIntStats, statSync } from 'node:fs';
import { damageError } from './store-error.ts';

/** The minimum size of the log. */
export interface MinLogBytes {
  /** The size at the last commit, which costs nothing. */
  readonly cached: () => number;
  /** The size that SQLite reports now. */
  readonly current: () => number;
}

/**
 * Creates a check of the file of a store and of the files that SQLite stores next to it. If one is removed or replaced, SQLite still
 * writes to the old one, and all changes are lost later. If the log is cut off, the next start loses everything after the gap. The
 * size of the file itself shows nothing: SQLite shrinks it when another program asks for that.
 * @returns a function that throws StoreError if a file was removed or replaced, or if the log is too short.
 */
export function createFileCheck(file: string, minLogBytes: MinLogBytes): () => void {
  const log = `${file}-wal`;
  const paths = [file, log, `${file}-shm`];
  const inodes = paths.map((path) => statOf(path)?.ino);
  return () => {
    const stats = paths.map(statOf);
    const lost = paths.find((_path, index) => stats[index]?.ino !== inodes[index]);
    if (lost !== undefined) {
      throw damageError(
        `${lost} was removed or replaced while it was in use: stop the server, and put the store or a backup into an empty folder.`,
      );
    }
    if (sizeOf(stats[1]) < minLogBytes.cached() && isCutOff(log, minLogBytes.current())) {
      throw damageError(
        `${log} was cut off while it was in use, and changes are lost: stop the server, and put a backup into an empty folder, or start it again without them.`,
      );
    }
  };
}

/** Reads the size again, after the minimum: SQLite may have emptied the log in between, if another program asked for that. */
function isCutOff(log: string, minBytes: number): boolean {
  return sizeOf(statOf(log)) < minBytes;
}

/** Returns bigints, since a number cannot represent the inodes of Windows exactly. */
const statOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false });

const sizeOf = (stats: BigIntStats | undefined) => Number(stats?.size ?? 0);
