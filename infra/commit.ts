import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Sets FLAGSTAFF_COMMIT to the commit of the checkout in a folder, unless it is set already, for example by a build outside of a
 * checkout.
 */
export async function setCommit(folder = root): Promise<void> {
  process.env.FLAGSTAFF_COMMIT ??= (await findCommit(folder)) ?? '';
}

/**
 * Finds the commit of the checkout in a folder, such as `0c1b1b78`, or `0c1b1b78-dirty` if there are uncommitted changes.
 * @returns undefined if the folder is no checkout, or git is not installed.
 */
async function findCommit(folder: string): Promise<string | undefined> {
  const repository = join(folder, '.git');
  // Git would also search the parent folders, which may belong to another repository.
  if (!existsSync(repository)) return undefined;
  const checkout = [`--git-dir=${repository}`, `--work-tree=${folder}`, '--no-optional-locks'];
  try {
    const { stdout } = await promisify(execFile)('git', [
      ...checkout,
      'describe',
      '--always',
      '--dirty',
      '--exclude=*',
    ]);
    return stdout.trim();
  } catch {
    return undefined;
  }
}
