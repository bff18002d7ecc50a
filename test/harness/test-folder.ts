import { afterAll, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** An empty folder that goes with the test. */
export function folderInTest(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

/** An empty folder that goes with the tests of the file or group that asks for it. */
export function folderOfTests(): string {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  return folder.path;
}
