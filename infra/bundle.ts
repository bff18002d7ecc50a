import { build, type Plugin } from 'esbuild';
import { openApiInAdvance } from './openapi-in-advance.ts';

/** The file in a function's directory, and the export in it, that Lambda calls. */
export const handlerName = 'index.handler';

/**
 * Parts of the SDK that it loads only when it needs them, which it never does here: Lambda hands credentials over in
 * the environment, and DynamoDB has no event streams. Lambda's own copy of the SDK holds them all the same.
 */
const neverLoaded = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
];

/**
 * The client makes itself a cache for endpoint discovery, but none of its commands looks an endpoint up. An empty class
 * takes the place of the 7 kB of data structures behind the cache.
 */
const withoutEndpointDiscovery: Plugin = {
  name: 'without-endpoint-discovery',
  setup({ onResolve, onLoad }) {
    const namespace = 'never-used';
    onResolve({ filter: /^mnemonist\/lru-cache$/ }, ({ path }) => ({ path, namespace }));
    onLoad({ filter: /.*/, namespace }, () => ({ contents: 'export default class {}' }));
  },
};

/**
 * Writes a directory for each entry point, named after it, which holds all that its function needs in one file.
 *
 * One run for all takes seconds where a run for each would take half a minute.
 */
export async function bundle(entryPoints: Readonly<Record<string, string>>, directory: string): Promise<void> {
  await build({
    entryPoints: Object.entries(entryPoints).map(([name, file]) => ({ in: file, out: `${name}/index` })),
    outdir: directory,
    // Says that these are CommonJS wherever they lie, whatever a package.json above them says.
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    legalComments: 'none',
    platform: 'node',
    target: 'node24',
    // An ES module that imports "node:http" makes Node load all that this module can offer, fetch and WebSocket
    // included, which takes half as long again to start as requiring it. So nothing is imported, late or early.
    format: 'cjs',
    supported: { 'dynamic-import': false },
    // The SDK's ES modules, of which esbuild leaves out what is not used; it cannot with CommonJS.
    mainFields: ['module', 'main'],
    external: neverLoaded,
    plugins: [withoutEndpointDiscovery, openApiInAdvance],
    logLevel: 'warning',
  });
}
