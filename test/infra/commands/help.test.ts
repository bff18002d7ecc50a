import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runFile } from './run-command.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { scripts, version } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));

/** The commands of package.json that are ours, with their files. */
const commands = Object.entries<string>(scripts).flatMap(([name, line]) => {
  const [, file] = / (\S+\.ts)$/.exec(line) ?? [];
  return file === undefined ? [] : [{ name, file }];
});

const run = (file: string, ...args: string[]) => runFile(`${root}/${file}`, args, { PATH: process.env.PATH });

describe('every command', () => {
  test('is known to this test', () => {
    expect(commands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['start', 'token', 'seed', 'import', 'rehearse', 'bench', 'prove:crash']),
    );
  });

  test.each(commands)('$name reads its options as all others do', ({ name, file }) => {
    expect(readFileSync(`${root}/${file}`, 'utf8')).toMatch(
      new RegExp(`^await runCommand\\((\\{ |\\{\\n {2})name: '${name}',`, 'm'),
    );
  });

  test.each(commands)('$name answers --help, and does nothing else', async ({ name, file }) => {
    const { code, stdout, stderr } = await run(file, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(name === 'start' ? /npm start/ : new RegExp(`npm run (--silent )?${name}\\b`));
  });

  test.each(['-h', '--help', '--port=0 --help'])('answers %s wherever it stands', async (text) => {
    const { code, stdout } = await run('infra/local/start.ts', ...text.split(' '));
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('npm start') });
  });

  test.each(['infra/local/start.ts', 'infra/commands/token.ts', 'test/bench/cost.ts'])(
    '%s answers --version with the version and the commit, and does nothing else',
    async (file) => {
      const env = { PATH: process.env.PATH, FLAGSTAFF_COMMIT: '0c1b1b78' };
      const outcome = await runFile(`${root}/${file}`, ['--version'], env);
      expect(outcome).toEqual({ code: 0, stdout: `${version}+0c1b1b78\n`, stderr: '' });
    },
  );

  test.each(['--bogus', 'stray'])('refuses %s in one line', async (argument) => {
    const { code, stdout, stderr } = await run('infra/local/start.ts', argument);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`^[^\\n]*${argument}[^\\n]* "npm run start -- --help" shows how to use it\\.\\n$`),
    );
  });
});
