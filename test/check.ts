import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runCommand, type Verdict } from '../infra/commands/command.ts';

const help = `Checks the types, the form of the code, the layers, the language and what is unused, and names all of these that fail.

  npm run check     (-h, --help: this text)`;

const root = fileURLToPath(new URL('..', import.meta.url));

const steps = {
  types: ['tsc'],
  'types of the console': ['tsc', '-p', 'lib/console/tsconfig.json'],
  form: ['biome', 'check', '.'],
  layers: ['vitest', 'run', 'test/layers.test.ts', 'test/language.test.ts'],
  'unused exports, files and packages': ['knip', '--config', 'test/knip.json', '--no-progress'],
  'exports that only tests use': ['knip', '--config', 'test/knip.json', '--no-progress', '--production'],
} as const;

async function check(): Promise<Verdict> {
  const failed: string[] = [];
  for (const [name, [command, ...args]] of Object.entries(steps)) {
    const child = spawn(`${root}node_modules/.bin/${command}`, args, { cwd: root, stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code !== 0) failed.push(`${name} (npx ${[command, ...args].join(' ')})`);
  }
  const passed = failed.length === 0;
  return { passed, summary: (passed ? Object.keys(steps) : failed).join(', ') };
}

await runCommand({ name: 'check', help, run: check });
