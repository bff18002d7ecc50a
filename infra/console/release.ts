import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A release of Unleash's admin UI, which comes in the package of its server. */
export interface ConsoleRelease {
  readonly name: string;
  readonly version: string;
  /** That of the package's archive, as the lock file of npm writes it. */
  readonly integrity: string;
}

/** The last release under the Apache licence. */
export const consoleRelease: ConsoleRelease = {
  name: 'unleash-server',
  version: '7.6.5',
  integrity: 'sha512-kBS9cPZNLeGO4g2XeUs37R0g4sQYcBjjrMAqea47TQIGcrs0iagNEm+ABih3SyEDAOnmxkQetsB0RGHIFki1Gg==',
};

/** Where the releases of the console lie once they are fetched: beside the code, and in no commit. */
export const consoles = fileURLToPath(new URL('../../.console', import.meta.url));

/** The folder of a release. It is there as a whole or not at all. */
export function directoryOf({ name, version }: ConsoleRelease, parent: string = consoles): string {
  return join(parent, `${name}-${version}`);
}

/** The folder of the console; undefined until it was fetched. */
export function findConsole(release: ConsoleRelease = consoleRelease, parent: string = consoles): string | undefined {
  const directory = directoryOf(release, parent);
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() ? directory : undefined;
}
