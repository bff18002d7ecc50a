import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder where it is missing, and those that it lies in, for this user alone. Node's own way to do so never ends
 * where a file system takes no folders, such as /proc.
 * @returns the folders that it created, the outermost first.
 * @throws Error with the words of the operating system when there can be no such folder; then it leaves none behind.
 */
export function createDirectory(directory: string): string[] {
  if (isDirectory(directory)) return [];
  const parent = dirname(directory);
  const created = parent === directory ? [] : createDirectory(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
    return [...created, directory];
  } catch (error) {
    // Another process may have been faster.
    if (isDirectory(directory)) return created;
    removeEmpty(created);
    throw error;
  }
}

/** Removes folders that were created, as far as they are still empty. */
export function removeEmpty(created: readonly string[]): void {
  try {
    for (const directory of created.toReversed()) rmdirSync(directory);
  } catch {
    // What is in use stays, and so does what it lies in.
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
