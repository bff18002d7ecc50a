import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compiledSources } from '../../harness/compile-cache.ts';
import { startLocalProcess } from '../../harness/local-process.ts';
import { runShell, workingCopy } from './run-shell.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('The tour of the README works as it stands there, and works again', async () => {
  // As in a fresh clone: an empty setting counts as none.
  const environment = { INIT_ADMIN_API_TOKENS: '', ...compiledSources() };
  await using server = await startLocalProcess({ store: 'file', environment });
  const directory = await workingCopy();
  for (let run = 0; run < 2; run += 1) {
    const printed = await runShell(await tourFor(server.url), directory, {
      DATA_DIR: server.directory,
      ...compiledSources(),
    });
    // That of an error has a message.
    expect(printed).not.toMatch(/^ {2}message:/m);
    expect(printed).toMatch(/^ {6}type: 'feature-environment-disabled',$/m);
    const [, served] = /(\d+) of 1000 users get the new checkout/.exec(printed) ?? [];
    expect(Number(served), printed).toBeGreaterThan(50);
    expect(Number(served), printed).toBeLessThan(150);
  }
});

/** The commands of the section, for a server on another port. */
async function tourFor(url: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const [, tour = ''] = /\n## A tour\n(.*?)\n## /s.exec(readme) ?? [];
  const blocks = [...tour.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands);
  expect(blocks.length).toBeGreaterThan(2);
  const commands = blocks.join('').replaceAll('http://localhost:4242', url);
  // It waits for what is stored once a minute, which no test does.
  expect(commands).toMatch(/^sleep 70 /m);
  return `sleep() { :; }\n${commands}`;
}
