import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderInTest } from '../harness/test-folder.ts';
import { findPython } from './python.ts';

/** Calls `findPython` with a path on which commands print the given versions. */
function find(versions: Record<string, string>): Promise<string> {
  const PATH = folderInTest();
  for (const [command, version] of Object.entries(versions)) {
    const file = join(PATH, command);
    writeFileSync(file, `#!/bin/sh\necho ${version}\n`);
    chmodSync(file, 0o755);
  }
  return findPython({ env: { PATH }, signal: new AbortController().signal });
}

test('the error on a machine without Python names the required version', async () => {
  await expect(find({})).rejects.toThrow(/Python 3\.10 or newer is needed, but no Python is installed/);
});

test('the error names each Python that is too old', async () => {
  await expect(find({ python3: '3.9.18', python: '2.7.18' })).rejects.toThrow('python3 is 3.9.18, python is 2.7.18');
});

test('the first Python that is new enough is used', async () => {
  expect(await find({ python3: '3.10.0' })).toBe('python3');
  expect(await find({ python3: '3.9.18', 'python3.12': '3.12.1' })).toBe('python3.12');
});
