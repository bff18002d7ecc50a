import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { x as extract } from 'tar';
import { Problem } from '../problem.ts';
import { type ConsolePackage, type ConsoleRelease, directoryOf, findConsole } from './release.ts';

const runFile = promisify(execFile);

/** Pages about Unleash's own API. */
const notServed = 'frontend/build/openapi-static/';

/**
 * Fetches a release of the console with npm, from the registry that npm is set to, and puts its files and their
 * licences into a folder of `parent`. The folder appears when it is complete: whatever ends this before leaves nothing
 * that is served.
 * @returns the folder.
 * @throws Problem when npm cannot fetch a package, or when it is another one than was pinned.
 */
export async function fetchConsole(release: ConsoleRelease, parent: string): Promise<string> {
  mkdirSync(parent, { recursive: true });
  const workplace = mkdtempSync(join(parent, '.new-'));
  try {
    const complete = join(workplace, 'complete');
    const packages = await fetchArchives(release, workplace);
    for (const [each, archive] of packages) assertPinned(each, archive);
    for (const [each, archive] of packages) {
      const directory = await unpack(each, archive, workplace);
      for (const [from, to] of Object.entries(each.files)) {
        mkdirSync(dirname(join(complete, to)), { recursive: true });
        renameSync(join(directory, from), join(complete, to));
      }
    }
    return moveTo(directoryOf(release, parent), complete, () => findConsole(release, parent));
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

/** Unpacks the files of a package that are needed into a folder of its own, and returns the folder. */
async function unpack(wanted: ConsolePackage, file: string, parent: string): Promise<string> {
  const cwd = mkdtempSync(join(parent, 'package-'));
  const names = Object.keys(wanted.files);
  const isTaken = (path: string) => names.some((name) => path === name || path.startsWith(`${name}/`));
  const filter = (path: string) => isTaken(path.slice('package/'.length)) && !path.includes(notServed);
  await extract({ file, cwd, strict: true, filter });
  return join(cwd, 'package');
}

/** Fetches the archives of all packages at once. */
async function fetchArchives(release: ConsoleRelease, workplace: string): Promise<[ConsolePackage, archive: string][]> {
  const specs = release.map(({ name, version }) => `${name}@${version}`);
  const options = ['--pack-destination', workplace, '--ignore-scripts', '--loglevel=error'];
  const [command, ...before] = npm();
  try {
    const { stdout } = await runFile(command, [...before, 'pack', ...specs, ...options]);
    const names = stdout.trim().split('\n');
    return release.map((each, index) => [each, join(workplace, `${names[index]}`)]);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, ''));
    const words = lines.find((line) => line.trim() !== '' && !line.startsWith('code ')) ?? String(error);
    throw new Problem(`npm cannot fetch ${specs.join(', ')}: ${words}`);
  }
}

/** The npm that runs this command, or the one on the path. */
function npm(): [command: string, ...args: string[]] {
  const { npm_execpath: script = '' } = process.env;
  return basename(script) === 'npm-cli.js' ? [process.execPath, script] : ['npm'];
}

function assertPinned({ name, version, integrity }: ConsolePackage, archive: string): void {
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found === integrity) return;
  throw new Problem(
    `The archive of ${name}@${version} is not the one that this release of Flagstaff knows: its integrity is ${found}, not ${integrity}. Nothing was unpacked.`,
  );
}

/** Another process may have been faster, with the same files. */
function moveTo(directory: string, complete: string, find: () => string | undefined): string {
  try {
    renameSync(complete, directory);
    return directory;
  } catch (error) {
    const found = find();
    if (found === undefined) throw error;
    return found;
  }
}
