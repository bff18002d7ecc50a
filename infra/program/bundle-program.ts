import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { referenceDirectory } from '../../lib/pages/reference-directory.ts';
import { referenceFiles } from '../../lib/pages/reference-files.ts';
import { buildConsole } from '../console/build-console.ts';
import { nameCommandsOfBundle } from './command-names.ts';
import { collectNotices } from './notices.ts';
import { programOptions } from './program-options.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The modules that find or make files in a clone, and their replacements. The code of a bundle is in its folder `code`. */
const replacementsFor = (commit: string): Readonly<Record<string, string>> => ({
  'infra/commit.ts': `export async function setCommit() { process.env.FLAGSTAFF_COMMIT ??= ${JSON.stringify(commit)}; }`,
  'infra/console/console-files.ts': `
    import { join } from 'node:path';
    const { DATA_DIR } = process.env;
    export const consoles = join(!DATA_DIR || DATA_DIR === ':memory:' ? '.data' : DATA_DIR, 'consoles');
    export const builtConsole = join(import.meta.dirname, '../console');
    export const icon = join(builtConsole, 'icon.svg');`,
  'infra/local/fresh-console.ts': 'export const withFreshConsole = (handler) => handler;',
  'lib/pages/reference-directory.ts': `
    import { join } from 'node:path';
    export const referenceDirectory = () => join(import.meta.dirname, '../reference');`,
});

/** The paths of our own sources in the repository. */
const ownSource = /^(?:functions|infra|lib)\/.*\.tsx?$/;
const pathInRepository = (file: string) => relative(root, file).replaceAll('\\', '/');

/** Replaces modules, and names commands as those of a bundle. */
const replaceModules = (commit: string): Plugin => ({
  name: 'replace-modules',
  setup({ onLoad }) {
    const replacements = replacementsFor(commit);
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const file = pathInRepository(path);
      if (!ownSource.test(file)) return undefined;
      return { contents: nameCommandsOfBundle(replacements[file] ?? (await readFile(path, 'utf8'))), loader: 'ts' };
    });
  },
});

/** Names commands as those of a bundle in the console, too. */
const nameCommands = {
  name: 'command-names',
  transform: (code: string, id: string) => (ownSource.test(pathInRepository(id)) ? nameCommandsOfBundle(code) : null),
};

/**
 * Writes a folder with all that the server and the commands need besides Node: the program `flagstaff.mjs` with its code, the console,
 * the API reference, the licences, and a package.json, so that npm can pack it.
 * @param directory an empty or missing folder.
 * @param commit the commit that the program shows with its version; empty if unknown.
 */
export async function bundleProgram(directory: string, commit: string): Promise<void> {
  const { metafile } = await build({
    ...programOptions,
    entryPoints: [join(root, 'infra/program/flagstaff.mjs')],
    outdir: directory,
    chunkNames: 'code/[name]-[hash]',
    plugins: [replaceModules(commit)],
    metafile: true,
    absWorkingDir: root,
  });
  await chmod(join(directory, 'flagstaff.mjs'), 0o755);
  const built = await buildConsole(join(directory, 'console'), [nameCommands]);
  const reference = referenceDirectory();
  await mkdir(join(directory, 'reference'));
  for (const name of referenceFiles) await copyFile(join(reference, name), join(directory, 'reference', name));
  const inputs = Object.keys(metafile.inputs).map((file) => join(root, file));
  const notices = collectNotices([...inputs, ...built.inputs, join(reference, 'package.json')]);
  await writeFile(join(directory, 'LICENSES-OF-PACKAGES.txt'), notices);
  await copyFile(join(root, 'LICENSE'), join(directory, 'LICENSE'));
  await copyFile(fileURLToPath(new URL('package-readme.md', import.meta.url)), join(directory, 'README.md'));
  const files = (await readdir(directory)).toSorted();
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(await describePackage(files), undefined, 2)}\n`);
}

/**
 * Returns the content of the package.json, which has no dependencies. It names the files and folders to pack, so that the package does
 * not contain the data of a server that was started in the folder.
 */
async function describePackage(files: readonly string[]): Promise<object> {
  const { name, version, license, engines } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const description = 'A feature-flag service, compatible with Unleash, with a console, in one process.';
  return { name, version, description, license, type: 'module', bin: { flagstaff: 'flagstaff.mjs' }, files, engines };
}
