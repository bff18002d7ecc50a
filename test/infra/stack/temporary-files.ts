import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { listEndpoints } from '../../../infra/deployed-endpoints.ts';
import { folderInTest } from '../../harness/test-folder.ts';
import { synthesizeEndpoints } from '../synthesize.ts';

test('a test that synthesizes leaves nothing behind in the temporary directory', () => {
  const directory = folderInTest();
  vi.stubEnv('TMPDIR', directory);
  synthesizeEndpoints(listEndpoints().slice(0, 2));
  expect(readdirSync(directory)).toEqual([]);
});
