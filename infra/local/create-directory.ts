import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a missing folder and its missing parents, for this user only. Node's recursive `mkdir` never ends on file systems that
 * accept no folders, such as /proc.
 * @returns the created folders, the outermost first.
 * @throws Error of the operating system if the folder cannot be created. No new folder is left then.
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

/** Removes created folders that are still empty. */
export function removeEmpty(created: readonly string[]): void {
  try {
    for (const directory of created.toReversed()) rmdirSync(directory);
  } catch {
    // A folder in use stays, and so do its parents.
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
