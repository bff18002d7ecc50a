import { statSync } from 'node:fs';
import { damaged } from './store-error.ts';

/**
 * Watches files that this process has open. Removing or replacing one does not stop SQLite from writing to it, where nobody
 * finds it any more. Sizes tell nothing: SQLite itself shortens a file when another program asks it to.
 * @returns a check, which throws StoreError once one is no longer in its place.
 */
export function watchFiles(paths: readonly string[]): () => void {
  const opened = paths.map(inodeOf);
  return () => {
    const lost = paths.find((path, index) => inodeOf(path) !== opened[index]);
    if (lost === undefined) return;
    throw damaged(
      `${lost} was removed or replaced while it was in use: stop the server, and put the store or a backup into an empty folder.`,
    );
  };
}

/** Exactly, since those of Windows are longer than a number. */
const inodeOf = (path: string) => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
