import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { builtConsole } from './console-files.ts';

/** The names of the files that a build was made from, in its folder. The console does not serve it. */
const inputList = 'inputs.json';

/**
 * Builds the console if there is no build, or if a source is newer. The folder is replaced as a whole, so that a build that fails
 * leaves the one before.
 * @throws Error if esbuild is not installed, with the code ERR_MODULE_NOT_FOUND, or if the sources cannot be built.
 */
export async function refreshConsole(directory = builtConsole): Promise<void> {
  if (isFresh(directory)) return;
  const [{ stop }, { buildConsole }] = await Promise.all([import('esbuild'), import('./build-console.ts')]);
  const parent = dirname(directory);
  await mkdir(parent, { recursive: true });
  const workplace = mkdtempSync(join(parent, '.new-'));
  try {
    const startedAt = new Date();
    const built = join(workplace, 'built');
    const { inputs } = await buildConsole(built);
    writeFileSync(join(built, inputList), JSON.stringify(inputs));
    // A source that changes during the build is newer.
    utimesSync(join(built, inputList), startedAt, startedAt);
    replaceDirectory(directory, built, join(workplace, 'old'));
  } finally {
    rmSync(workplace, { recursive: true, force: true });
    // The process of esbuild would stay.
    await stop();
  }
}

function isFresh(directory: string): boolean {
  const list = join(directory, inputList);
  const builtAt = statSync(list, { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) return false;
  const inputs = JSON.parse(readFileSync(list, 'utf8')) as string[];
  return inputs.every(
    (file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) <= builtAt,
  );
}

/** Puts a new folder in the place of another. If another process does so at the same time, its build is as good. */
function replaceDirectory(directory: string, built: string, old: string): void {
  try {
    if (statSync(directory, { throwIfNoEntry: false }) !== undefined) renameSync(directory, old);
    renameSync(built, directory);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}
