import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleChoice } from '../../lib/pages/console-choice.ts';
import { buildConsole } from './build-console.ts';

const folder = 'console';

/** The folder of the console in the function for unmatched routes. Lambda unpacks a bundle into /var/task. */
export const deployedConsole = `/var/task/${folder}`;

/**
 * Adds the chosen console to the bundle of a function: builds our own, or copies Unleash's admin UI.
 * @param bundle the folder of the bundle.
 * @param fetched the folder of Unleash's admin UI; undefined if it has not been fetched.
 * @throws Error if Unleash's admin UI was chosen and has not been fetched.
 */
export async function addConsole(bundle: string, choice: ConsoleChoice, fetched: string | undefined): Promise<void> {
  if (choice === 'off') return;
  if (choice === 'flagstaff') {
    await buildConsole(join(bundle, folder));
    return;
  }
  if (fetched === undefined) {
    throw new Error(
      '-c console=unleash deploys Unleash\'s admin UI, which has not been fetched yet: run "npm run unleash-console" first.',
    );
  }
  cpSync(fetched, join(bundle, folder), { recursive: true });
}
