import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { x as extract } from 'tar';
import { Problem } from '../problem.ts';
import { type ConsolePackage, type ConsoleRelease, directoryOf, findConsole } from './release.ts';
import { removeBrand } from './remove-brand.ts';

const runFile = promisify(execFile);

/** Pages about Unleash's own API, which are not served. */
const notServed = 'frontend/build/openapi-static/';

/**
 * Fetches a release of the console with npm, from npm's configured registry, and puts its files and their licences into a
 * folder of `parent`, without the trademark of its makers. The folder appears only when it is complete, so that an interrupted command leaves nothing that is served.
 * @returns the folder.
 * @throws Problem if npm cannot fetch a package, or if a package differs from the pinned one.
 */
export async function fetchConsole(release: ConsoleRelease, parent: string): Promise<string> {
  mkdirSync(parent, { recursive: true });
  const workplace = mkdtempSync(join(parent, '.new-'));
  try {
    const complete = join(workplace, 'complete');
    const packages = await fetchArchives(release, workplace);
    for (const [wanted, archive] of packages) assertPinned(wanted, archive);
    for (const [wanted, archive] of packages) {
      const directory = await unpack(wanted, archive, workplace);
      for (const [from, to] of Object.entries(wanted.files)) {
        mkdirSync(dirname(join(complete, to)), { recursive: true });
        renameSync(join(directory, from), join(complete, to));
      }
    }
    removeBrand(complete);
    return moveTo(directoryOf(release, parent), complete, () => findConsole(release, parent));
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

/** Unpacks the needed files of a package into a folder of its own, and returns that folder. */
async function unpack(wanted: ConsolePackage, file: string, parent: string): Promise<string> {
  const cwd = mkdtempSync(join(parent, 'package-'));
  const names = Object.keys(wanted.files);
  const isNeeded = (path: string) => names.some((name) => path === name || path.startsWith(`${name}/`));
  const filter = (path: string) => isNeeded(path.slice('package/'.length)) && !path.includes(notServed);
  await extract({ file, cwd, strict: true, filter });
  return join(cwd, 'package');
}

/** Fetches the archives of all packages at the same time. */
async function fetchArchives(release: ConsoleRelease, workplace: string): Promise<[ConsolePackage, archive: string][]> {
  const specs = release.map(({ name, version }) => `${name}@${version}`);
  const options = ['--pack-destination', workplace, '--ignore-scripts', '--loglevel=error'];
  const [command, ...before] = npm();
  try {
    const { stdout } = await runFile(command, [...before, 'pack', ...specs, ...options]);
    const names = stdout.trim().split('\n');
    return release.map((wanted, index) => [wanted, join(workplace, `${names[index]}`)]);
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, ''));
    const reason = lines.find((line) => line.trim() !== '' && !line.startsWith('code ')) ?? String(error);
    throw new Problem(`npm cannot fetch ${specs.join(', ')}: ${reason}`);
  }
}

/** The npm that runs this command, or the one on the path. */
function npm(): [command: string, ...args: string[]] {
  const { npm_execpath: script = '' } = process.env;
  return basename(script) === 'npm-cli.js' ? [process.execPath, script] : ['npm'];
}

function assertPinned({ name, version, integrity }: ConsolePackage, archive: string): void {
  const actual = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (actual === integrity) return;
  throw new Problem(
    `The archive of ${name}@${version} differs from the pinned one: its integrity is ${actual}, not ${integrity}. Nothing was unpacked.`,
  );
}

/** Renames the complete folder. If another process was faster, returns its folder, which has the same files. */
function moveTo(directory: string, complete: string, find: () => string | undefined): string {
  try {
    renameSync(complete, directory);
    return directory;
  } catch (error) {
    const existing = find();
    if (existing === undefined) throw error;
    return existing;
  }
}
