import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deployedEndpoints } from '../../../infra/deployed-endpoints.ts';
import { synthesizeEndpoints } from '../synthesize.ts';

test('a test that synthesizes leaves nothing behind in the temporary directory', () => {
  const directory = mkdtempSync(join(tmpdir(), 'flagstaff-temporary-'));
  vi.stubEnv('TMPDIR', directory);
  onTestFinished(() => rmSync(directory, { recursive: true }));
  synthesizeEndpoints(deployedEndpoints().slice(0, 2));
  expect(readdirSync(directory)).toEqual([]);
});
