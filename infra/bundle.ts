import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { referenceDirectory } from '../lib/pages/reference-directory.ts';
import { referenceFiles } from '../lib/pages/reference-files.ts';
import { functionEntries, unusedEndpointsLeftOut } from './function-entries.ts';
import { registryInAdvance } from './registry-in-advance.ts';

/** The handler setting of each function: the export `handler` of the file `index`. */
export const handlerName = 'index.handler';

/** Packages that a function never loads. Lambda provides credentials in the environment. */
const neverLoaded = ['@aws-sdk/credential-provider-node'];

/** The module that finds the API reference. The files are in the bundle's own folder there. */
const referenceModule = /lib[\\/]pages[\\/]reference-directory\.ts$/;
const referenceBeside: Plugin = {
  name: 'reference-beside',
  setup({ onLoad }) {
    onLoad({ filter: referenceModule }, () => ({
      contents: 'export const referenceDirectory = () => __dirname;',
    }));
  },
};

/**
 * The code that speaks to mail servers is as large as all other code, and few deployments need it. It is a file of its own in the
 * bundles that send mails, and is loaded with the first mail.
 */
const mailModule = /lib[\\/]sign-in[\\/]send-by-smtp\.ts$/;
const mailer = 'nodemailer.cjs';
const mailerBeside: Plugin = {
  name: 'mailer-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^nodemailer$/ }, () => ({ path: `./${mailer}`, external: true }));
  },
};

/**
 * The code that compiles regular expressions is half as large as all other code, and few requests need it. It is a file of its
 * own in the bundles that evaluate or save constraints, and is loaded with the first regular expression.
 */
const regularExpressions = 're2js.cjs';
const regularExpressionsBeside: Plugin = {
  name: 'regular-expressions-beside',
  setup({ onResolve, onLoad }) {
    const namespace = 'regular-expressions-beside';
    const loading = `require('./${regularExpressions}').RE2JS`;
    const contents = `exports.RE2JS = {
      get CASE_INSENSITIVE() { return ${loading}.CASE_INSENSITIVE; },
      compile: (...pattern) => ${loading}.compile(...pattern),
    };`;
    onResolve({ filter: /^re2js$/ }, ({ path }) => ({ path, namespace }));
    onResolve({ filter: /^\.\/re2js\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /.*/, namespace }, () => ({ contents }));
  },
};

const forLambda = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  platform: 'node',
  target: 'node24',
} as const;

/** Bundles code that a function loads later. */
async function bundleBeside(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...forLambda,
    format: 'cjs',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** The number of functions that esbuild bundles in one run. It needs 12 MB of memory for each. */
const maxPerRun = 75;

/**
 * Writes a directory for each entry point, with the same name. It contains all that the function needs: one file of code, and
 * the files that the function serves.
 *
 * A few runs take a third of the time of one run per function, and half of the memory of a single run.
 */
export async function bundle(entryPoints: Readonly<Record<string, string>>, directory: string): Promise<void> {
  // Garbage collection would take a third of esbuild's time and free little memory.
  process.env.GOGC ??= 'off';
  process.env.GOMEMLIMIT ??= '2GiB';
  const all = Object.entries(entryPoints);
  for (let from = 0; from < all.length; from += maxPerRun) {
    await bundleBatch(all.slice(from, from + maxPerRun), directory);
  }
}

async function bundleBatch(entryPoints: readonly (readonly [string, string])[], directory: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: entryPoints.map(([name, file]) => ({ in: file, out: `${name}/index` })),
    outdir: directory,
    // This ending declares CommonJS, even if a package.json in a parent folder declares otherwise.
    outExtension: { '.js': '.cjs' },
    ...forLambda,
    // When an ES module imports "node:http", Node loads everything that this module exports, including fetch and WebSocket.
    // That makes a start half as long again as `require` does. So bundles import nothing, not even later.
    format: 'cjs',
    // Node 24 supports `using`. Otherwise esbuild would add 850 bytes to emulate it.
    supported: { 'dynamic-import': false, using: true },
    // The SDK's ES modules, from which esbuild removes unused code. It cannot do that with CommonJS.
    mainFields: ['module', 'main'],
    external: neverLoaded,
    plugins: [
      functionEntries,
      unusedEndpointsLeftOut,
      registryInAdvance,
      referenceBeside,
      regularExpressionsBeside,
      mailerBeside,
    ],
    metafile: true,
    logLevel: 'warning',
  });
  const foldersWith = (pattern: RegExp) =>
    Object.entries(metafile.outputs).flatMap(([file, { inputs }]) =>
      Object.keys(inputs).some((input) => pattern.test(input)) ? [dirname(file)] : [],
    );
  for (const folder of foldersWith(referenceModule)) {
    for (const name of referenceFiles) copyFileSync(join(referenceDirectory(), name), join(folder, name));
  }
  const writeBeside = async (folders: readonly string[], name: string, contents: string) => {
    if (folders.length === 0) return;
    const code = await bundleBeside(contents);
    for (const folder of folders) writeFileSync(join(folder, name), code);
  };
  const evaluating = foldersWith(/^regular-expressions-beside:/);
  await writeBeside(evaluating, regularExpressions, "export { RE2JS } from 're2js';");
  await writeBeside(foldersWith(mailModule), mailer, "export { createTransport } from 'nodemailer';");
}
