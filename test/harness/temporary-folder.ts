import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder that goes with the block that uses it. */
export function temporaryFolder(parent = tmpdir()): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(parent, 'flagstaff-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
