import { cpSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'console';

/** The folder of the console in the function for unmatched routes. Lambda unpacks a bundle into /var/task. */
export const deployedConsole = `/var/task/${folder}`;

/**
 * Copies the console into the bundle of a function.
 * @param bundle the folder of the bundle.
 * @param directory the fetched console; undefined if it has not been fetched.
 * @throws Error if it has not been fetched.
 */
export function addConsole(bundle: string, directory: string | undefined): void {
  if (directory === undefined) {
    throw new Error(
      '-c console=true deploys the console, which has not been fetched yet: run "npm run console" first.',
    );
  }
  cpSync(directory, join(bundle, folder), { recursive: true });
}
