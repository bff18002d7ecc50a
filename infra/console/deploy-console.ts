import { cpSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'console';

/** The folder where the function for unmatched routes finds the console: Lambda puts what is deployed into it. */
export const deployedConsole = `/var/task/${folder}`;

/**
 * Puts the console beside the code of a function.
 * @param bundle the folder that becomes the function's.
 * @param directory where the console lies on this machine; undefined when it was not fetched.
 * @throws Error when it was not.
 */
export function addConsole(bundle: string, directory: string | undefined): void {
  if (directory === undefined) {
    throw new Error(
      '-c console=true deploys the console, which is not on this machine yet: run "npm run console" first.',
    );
  }
  cpSync(directory, join(bundle, folder), { recursive: true });
}
