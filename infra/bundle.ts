import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { referenceDirectory } from '../lib/pages/reference-directory.ts';
import { referenceFiles } from '../lib/pages/reference-files.ts';
import { functionEntries, unusedEndpointsLeftOut } from './function-entries.ts';
import { registryInAdvance } from './registry-in-advance.ts';

/** The file in a function's directory, and the export in it, that Lambda calls. */
export const handlerName = 'index.handler';

/**
 * Parts of the SDK that it loads only when it needs them, which it never does here: DynamoDB has no event streams. Lambda's
 * own copy of the SDK holds them all the same.
 */
const neverLoaded = ['@smithy/core/event-streams'];

/**
 * Modules that are loaded but whose content is never used, and what takes their place:
 * - The client makes itself a cache for endpoint discovery, but none of its commands looks an endpoint up.
 * - The table's client has a retry strategy of its own, so that the SDK's adaptive one never limits a rate.
 * - The table has no times for the SDK to read or write.
 * - Node has SHA-256 itself, the region stands in the environment, and there are no streams of events to be signed.
 * - The table's client writes JSON in a step of its own. The SDK's deserializer stays: it reads the fields of errors,
 *   which distinguish a lost race from a bug.
 * - A process of Lambda has one request at a time, so that the logger need not tell apart whose lines it writes.
 * - The logger keeps no lines back, and pages are turned by the table's own loop.
 * - The table's client leaves out the steps that name it to the store, write a log, look for a loop of functions and set
 *   headers, and has its own in the place of those that write requests and read answers.
 * - A request carries its signature in its headers, not in its address.
 * - The store's protocol puts all of a request into its body and nothing into its address, and Lambda has no home directory
 *   with files of configuration.
 * - Of its own package.json the client reads the version only.
 * - The client is given no extensions, the default mode of the SDK, and the Node that Lambda has.
 * - Lambda hands credentials over in the environment, so that there is nowhere else to look for them.
 * - Of JSON Patch nothing compares two documents or watches one.
 * - The store of a function is never in its process.
 * - Nothing here is a bucket of S3, and no log has to leave out what is sensitive in the requests of the client.
 */
const neverUsed: readonly { readonly filter: RegExp; readonly contents: (resolved: string) => string }[] = [
  { filter: /^mnemonist\/lru-cache$/, contents: () => 'export default class {}' },
  { filter: /\/DefaultRateLimiter$/, contents: () => 'export class DefaultRateLimiter {}' },
  { filter: /\/Sha256Js$/, contents: () => 'export class Sha256Js {}' },
  { filter: /\/AdaptiveRetryStrategy$/, contents: () => 'export class AdaptiveRetryStrategy {}' },
  {
    filter: /\/loggerMiddleware$/,
    contents: () => `
      export const getLoggerPlugin = () => ({ applyToStack() {} });
      export const loggerMiddleware = undefined;
      export const loggerMiddlewareOptions = undefined;`,
  },
  {
    filter: /\/(recursionDetection|schemaSerialization|schemaDeserialization)Middleware$/,
    contents: (resolved) => `export const ${basename(resolved)} = () => undefined;`,
  },
  {
    filter: /\/contentLengthMiddleware$/,
    contents: () => `
      export const getContentLengthPlugin = () => ({ applyToStack() {} });
      export const contentLengthMiddleware = undefined, contentLengthMiddlewareOptions = undefined;`,
  },
  {
    filter: /\/hostHeaderMiddleware$/,
    contents: () => `
      export const resolveHostHeaderConfig = (input) => input;
      export const getHostHeaderPlugin = () => ({ applyToStack() {} });
      export const hostHeaderMiddleware = undefined, hostHeaderMiddlewareOptions = undefined;`,
  },
  {
    filter: /\/date-utils$/,
    contents: () => `
      export const dateToUtcString = undefined, parseEpochTimestamp = undefined, parseRfc7231DateTime = undefined;
      export const parseRfc3339DateTime = undefined, parseRfc3339DateTimeWithOffset = undefined;`,
  },
  {
    filter: /\/service-customizations$/,
    contents: () => 'export const resolveParamsForS3 = async (params) => params;',
  },
  { filter: /\/runtimeExtensions$/, contents: () => 'export const resolveRuntimeExtensions = (config) => config;' },
  {
    filter: /\/resolveEndpointDiscoveryConfig$/,
    contents: () => 'export const resolveEndpointDiscoveryConfig = (input) => input;',
  },
  {
    filter: /\/resolveDefaultsModeConfig$/,
    contents: () => "export const resolveDefaultsModeConfig = () => async () => 'legacy';",
  },
  {
    filter: /\/emitWarningIfUnsupportedVersion$/,
    contents: () => 'export const state = {}; export const emitWarningIfUnsupportedVersion = () => {};',
  },
  { filter: /\/schemaLogFilter$/, contents: () => 'export const schemaLogFilter = (_schema, data) => data;' },
  {
    filter: /\/HttpBindingNormalizedSchema$/,
    contents: () => `
      export const getHttpOperationBindings = undefined;
      export class HttpBindingNormalizedSchema {}`,
  },
  {
    filter: /\/loadSharedConfigFiles$/,
    contents: () => `
      export const CONFIG_PREFIX_SEPARATOR = '.';
      export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  },
  {
    filter: /\/util-user-agent-node\/defaultUserAgent$/,
    contents: () => `
      export const createDefaultUserAgentProvider = () => async () => [];
      export const defaultUserAgent = undefined, crtAvailability = undefined;`,
  },
  { filter: /\/moveHeadersToQuery$/, contents: () => 'export const moveHeadersToQuery = undefined;' },
  { filter: /\/HeaderFormatter$/, contents: () => 'export class HeaderFormatter {}' },
  { filter: /\/getInstanceMetadataRegion$/, contents: () => 'export async function getInstanceMetadataRegion() {}' },
  { filter: /\/logBuffer\.js$/, contents: () => 'export class CircularMap {}' },
  { filter: /^@aws\/lambda-invoke-store$/, contents: () => '' },
  {
    filter: /\/in-process\.ts$/,
    contents: () => `
      export const inProcess = () => (next) => next;
      export const shorten = () => {}, assertSoundInProcess = () => {}, keptInProcess = () => undefined;
      export const damagedStore = undefined;`,
  },
  { filter: /\/pagination$/, contents: () => '' },
  { filter: /\/module\/duplex\.mjs$/, contents: () => '' },
  {
    filter: /^@aws-sdk\/credential-provider-node$/,
    contents: () => "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
  },
  {
    filter: /\/JsonShapeSerializer2$/,
    contents: () => 'export class JsonShapeSerializer2 { setSerdeContext() {} }',
  },
  {
    filter: /\/user-agent-middleware$/,
    contents: () => `
      export const getUserAgentPlugin = () => ({ applyToStack() {} });
      export const userAgentMiddleware = undefined;
      export const getUserAgentMiddlewareOptions = undefined;`,
  },
  { filter: /^\..*\/package\.json$/, contents: (resolved) => `export default { version: '${versionIn(resolved)}' }` },
];

function versionIn(file: string): string {
  return JSON.parse(readFileSync(file, 'utf8')).version;
}

/**
 * Errors of requests about backups, exports, imports, replicas and the like. Nothing here tells them apart, and an error that
 * the client does not know still has its name, its message and whose fault it is.
 */
const unknownErrors =
  /^(Backup|Continuous|Duplicate|Export|GlobalTable|Import|Index|InvalidExport|InvalidRestore|PointInTime|Policy|Replica[AN]|Table)/;
const schemas = /client-dynamodb[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/;
const withoutUnknownErrors: Plugin = {
  name: 'without-unknown-errors',
  setup({ onLoad }) {
    onLoad({ filter: schemas }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(/^n0_registry\.registerError\(.*, (\w+)\);$/gm, (line, error) =>
        unknownErrors.test(error) ? '' : line,
      ),
    }));
  },
};

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

const withoutNeverUsed: Plugin = {
  name: 'without-never-used',
  setup({ onResolve, onLoad }) {
    for (const [index, { filter, contents }] of neverUsed.entries()) {
      const namespace = `never-used-${index}`;
      onResolve({ filter }, ({ path, resolveDir }) => ({
        path: join(resolveDir, path),
        namespace,
        pluginData: resolveDir,
      }));
      onLoad({ filter: /.*/, namespace }, ({ path, pluginData }) => ({
        contents: contents(path),
        resolveDir: pluginData,
      }));
    }
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
    plugins: [
      functionEntries,
      unusedEndpointsLeftOut,
      withoutNeverUsed,
      withoutUnknownErrors,
      registryInAdvance,
      referenceBeside,
      regularExpressionsBeside,
    ],
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
