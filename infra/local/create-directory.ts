import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder where it is missing, and those that it lies in. Node's own way to do so never ends where a file
 * system takes no folders, such as /proc.
 * @throws Error with the words of the operating system when there can be no such folder.
 */
export function createDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) createDirectory(parent);
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process may have been faster.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
