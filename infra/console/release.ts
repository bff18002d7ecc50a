import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../lib/values/sha256.ts';
import { consoles } from './console-files.ts';
import { brandVersion } from './remove-brand.ts';

/** An npm package, and the files of it that belong to the console. */
export interface ConsolePackage {
  readonly name: string;
  readonly version: string;
  /** The integrity of the package's archive, in the format of npm's lock file. */
  readonly integrity: string;
  /** The needed files and folders, with their paths in the folder of the console. */
  readonly files: Readonly<Record<string, string>>;
}

/** Unleash's admin UI, which is part of its server package, and the web fonts that its page uses. */
export type ConsoleRelease = readonly [ui: ConsolePackage, ...fonts: readonly ConsolePackage[]];

export const consoleRelease: ConsoleRelease = [
  {
    name: 'unleash-server',
    // The last release under the Apache licence.
    version: '7.6.5',
    integrity: 'sha512-kBS9cPZNLeGO4g2XeUs37R0g4sQYcBjjrMAqea47TQIGcrs0iagNEm+ABih3SyEDAOnmxkQetsB0RGHIFki1Gg==',
    files: { 'frontend/build': '.', LICENSE: 'LICENSE' },
  },
  {
    name: '@fontsource/material-symbols-outlined',
    version: '5.3.8',
    integrity: 'sha512-HpYZX5B3zfy70PX4xYYaGI9CCDRCjJcMumcshJDZbG3vtQBQPrBi7QIqaduCjDryo9Z8jNQFjj4378MMAWCkWw==',
    files: {
      'files/material-symbols-outlined-latin-400-normal.woff2': 'fonts/material-symbols-outlined.woff2',
      LICENSE: 'fonts/LICENSE-material-symbols-outlined',
    },
  },
  {
    name: '@fontsource-variable/sen',
    version: '5.3.0',
    integrity: 'sha512-AEWNMDLtBO7iV0v2kwDZgxiLH2YADSUMnr/g2b8tgf/8dQNMPS+018iF5rzwVb/Mt79FwU5/39MlRGiK5VxkaQ==',
    files: {
      'files/sen-latin-wght-normal.woff2': 'fonts/sen-latin.woff2',
      'files/sen-latin-ext-wght-normal.woff2': 'fonts/sen-latin-ext.woff2',
      LICENSE: 'fonts/LICENSE-sen',
    },
  },
];

/** Returns the folder of a release. Its name depends on the packages, and on the changes to their files. It exists completely or not at all. */
export function directoryOf(release: ConsoleRelease, parent: string = consoles): string {
  const [{ name, version }] = release;
  const content = [...release.map(({ integrity }) => integrity), brandVersion].join();
  return join(parent, `${name}-${version}-${sha256(content).slice(0, 8)}`);
}

/** Returns the folder of the console; undefined if it has not been fetched. */
export function findConsole(release: ConsoleRelease = consoleRelease, parent: string = consoles): string | undefined {
  const directory = directoryOf(release, parent);
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() ? directory : undefined;
}
