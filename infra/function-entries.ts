import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { functionOf, handlerFile, listEndpoints } from './deployed-endpoints.ts';
import { entryPrefix, unroutedHandler } from './entry-points.ts';
import { neighboursOf, type Routed } from './routes.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Generates the entry point of each function: it exports an endpoint, or the join of several endpoints, as `handler`. */
export const functionEntries: Plugin = {
  name: 'function-entries',
  setup({ onResolve, onLoad }) {
    const namespace = 'function';
    const filter = new RegExp(`^${entryPrefix}`);
    onResolve({ filter }, ({ path }) => ({ path: path.slice(entryPrefix.length), namespace }));
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: codeOf(path), resolveDir: root, loader: 'js' }));
  },
};

/** Declarations of endpoints, and of functions that declare endpoints. */
const declarations = /^((?:export )?const \w+ = )(?=(?:endpoint|flagChange|endpointsOf)\()/gm;

/**
 * Marks the endpoints of a file as free of side effects, so that a bundle omits the endpoints that it does not export, and their
 * dependencies.
 */
export const unusedEndpointsLeftOut: Plugin = {
  name: 'unused-endpoints-left-out',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]functions[\\/][\w-]+[\\/][\w-]+\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(declarations, '$1/* @__PURE__ */ '),
      loader: 'ts',
    }));
  },
};

function codeOf(name: string): string {
  const all = listEndpoints();
  const members = all.filter((endpoint) => functionOf(endpoint) === name || functionOf(endpoint, 'few') === name);
  if (name === unroutedHandler || members[0]?.operationId === name)
    return `export { ${name} as handler } from ${fileOf(name)};`;
  const imports = members.map(({ operationId }) => `import { ${operationId} } from ${fileOf(operationId)};`);
  return `
    import { joinEndpoints } from ${JSON.stringify(join(root, 'lib/http/join-endpoints.ts'))};
    ${imports.join('\n')}
    export const handler = joinEndpoints(
      [${members.map(({ operationId }) => operationId).join(', ')}],
      [${neighboursOf(members, all).map(routeIn).join(', ')}],
    );`;
}

/** Returns the file of a handler as a JavaScript string literal. */
const fileOf = (name: string) => JSON.stringify(handlerFile(name));

function routeIn({ declaration: { method, path } }: Routed): string {
  return JSON.stringify({ method, path });
}
