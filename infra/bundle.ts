import { copyFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { referenceDirectory } from '../lib/pages/reference-directory.ts';
import { referenceFiles } from '../lib/pages/reference-files.ts';
import { functionEntries, unusedEndpointsLeftOut } from './function-entries.ts';
import { registryInAdvance } from './registry-in-advance.ts';

/** The file in a function's directory, and the export in it, that Lambda calls. */
export const handlerName = 'index.handler';

/** Packages that a function never loads: Lambda hands credentials over in the environment. */
const neverLoaded = ['@aws-sdk/credential-provider-node'];

/** A bundle finds the files of the API reference beside itself. */
const findsReference = /lib[\\/]pages[\\/]reference-directory\.ts$/;
const referenceBeside: Plugin = {
  name: 'reference-beside',
  setup({ onLoad }) {
    onLoad({ filter: findsReference }, () => ({
      contents: 'export const referenceDirectory = () => __dirname;',
    }));
  },
};

/**
 * Regular expressions are rare: what compiles them, half as much code as all the rest, lies beside the bundles that evaluate or
 * save constraints, and is loaded by the first regular expression.
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

async function bundleRegularExpressions(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: "export { RE2JS } from 're2js';", resolveDir: import.meta.dirname },
    ...forLambda,
    format: 'cjs',
    write: false,
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** The number of functions that esbuild bundles at once, which takes 12 MB for each. */
const togetherMax = 75;

/**
 * Writes a directory for each entry point, named after it, which holds all that its function needs: its code in one
 * file, and the files that it answers.
 *
 * A few runs take a third of the time that a run for each would take, and half of the memory of one run for all.
 */
export async function bundle(entryPoints: Readonly<Record<string, string>>, directory: string): Promise<void> {
  // Nearly all that esbuild holds it needs until it is done: looking for the rest takes a third of its time.
  process.env.GOGC ??= 'off';
  process.env.GOMEMLIMIT ??= '2GiB';
  const all = Object.entries(entryPoints);
  for (let from = 0; from < all.length; from += togetherMax) {
    await bundleTogether(all.slice(from, from + togetherMax), directory);
  }
}

async function bundleTogether(entryPoints: readonly (readonly [string, string])[], directory: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: entryPoints.map(([name, file]) => ({ in: file, out: `${name}/index` })),
    outdir: directory,
    // Says that these are CommonJS wherever they lie, whatever a package.json above them says.
    outExtension: { '.js': '.cjs' },
    ...forLambda,
    // An ES module that imports "node:http" makes Node load all that this module can offer, fetch and WebSocket
    // included, which takes half as long again to start as requiring it. So nothing is imported, late or early.
    format: 'cjs',
    // Node 24 has `using`, of which esbuild would put 850 bytes in the place.
    supported: { 'dynamic-import': false, using: true },
    // The SDK's ES modules, of which esbuild leaves out what is not used; it cannot with CommonJS.
    mainFields: ['module', 'main'],
    external: neverLoaded,
    plugins: [functionEntries, unusedEndpointsLeftOut, registryInAdvance, referenceBeside, regularExpressionsBeside],
    metafile: true,
    logLevel: 'warning',
  });
  const usersOf = (wanted: RegExp) =>
    Object.entries(metafile.outputs).flatMap(([file, { inputs }]) =>
      Object.keys(inputs).some((input) => wanted.test(input)) ? [dirname(file)] : [],
    );
  for (const folder of usersOf(findsReference)) {
    for (const name of referenceFiles) copyFileSync(join(referenceDirectory(), name), join(folder, name));
  }
  const evaluating = usersOf(/^regular-expressions-beside:/);
  if (evaluating.length === 0) return;
  const compiler = await bundleRegularExpressions();
  for (const folder of evaluating) writeFileSync(join(folder, regularExpressions), compiler);
}
