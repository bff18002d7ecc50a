import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findCommit } from '../../infra/commit.ts';
import { folderInTest } from '../harness/test-folder.ts';

const isGitHere = spawnSync('git', ['--version']).error === undefined;

test.runIf(isGitHere)('a build has the commit of its checkout, and says where files were changed', async () => {
  const folder = folderInTest();
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  expect(await findCommit(folder)).toBeUndefined();
  git('init', '--quiet');
  expect(await findCommit(folder)).toBeUndefined();
  writeFileSync(join(folder, 'file'), 'first');
  git('add', 'file');
  git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '--quiet', '--message', 'First');
  const commit = git('rev-parse', '--short', 'HEAD').trim();
  expect(await findCommit(folder)).toBe(commit);
  writeFileSync(join(folder, 'file'), 'second');
  expect(await findCommit(folder)).toBe(`${commit}-dirty`);
  // What is unpacked into the repository of something else has no commit.
  mkdirSync(join(folder, 'unpacked'));
  expect(await findCommit(join(folder, 'unpacked'))).toBeUndefined();
});
