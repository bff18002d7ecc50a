import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

// A bundle has other paths, which infra/program/bundle-program.ts puts here.

/** The folder of all consoles: fetched releases, and our own as it was built. Git ignores it. */
export const consoles = join(root, '.console');

/** The folder of our own console on this machine. */
export const builtConsole = join(consoles, 'flagstaff');

/** The icon of our own console, which Unleash's admin UI gets, too. */
export const icon = join(root, 'lib/console/icon.svg');
