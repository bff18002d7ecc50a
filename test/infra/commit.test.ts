import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setCommit } from '../../infra/commit.ts';
import { folderInTest } from '../harness/test-folder.ts';

const isGitHere = spawnSync('git', ['--version']).error === undefined;

test.runIf(isGitHere)('a build has the commit of its checkout, and shows uncommitted changes', async () => {
  const folder = folderInTest();
  onTestFinished(() => void vi.unstubAllEnvs());
  async function commitOf(checkout: string) {
    vi.stubEnv('FLAGSTAFF_COMMIT', undefined);
    await setCommit(checkout);
    return process.env.FLAGSTAFF_COMMIT;
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  expect(await commitOf(folder)).toBe('');
  git('init', '--quiet');
  expect(await commitOf(folder)).toBe('');
  writeFileSync(join(folder, 'file'), 'first');
  git('add', 'file');
  git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '--message', 'First');
  const commit = git('rev-parse', '--short', 'HEAD').trim();
  expect(await commitOf(folder)).toBe(commit);
  writeFileSync(join(folder, 'file'), 'second');
  expect(await commitOf(folder)).toBe(`${commit}-dirty`);
  // A release that was unpacked inside another repository has no commit.
  mkdirSync(join(folder, 'unpacked'));
  expect(await commitOf(join(folder, 'unpacked'))).toBe('');
});
