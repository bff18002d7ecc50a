import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { deployedEndpoints, functionOf } from './deployed-endpoints.ts';
import { exportOf, handlerFiles, joinedPrefix } from './entry-points.ts';
import { neighboursOf, type Routed } from './routes.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Writes the code of the functions that several endpoints share. */
export const joinedEntries: Plugin = {
  name: 'joined-entries',
  setup({ onResolve, onLoad }) {
    const namespace = 'joined';
    const filter = new RegExp(`^${joinedPrefix}`);
    onResolve({ filter }, ({ path }) => ({ path: path.slice(joinedPrefix.length), namespace }));
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: codeOf(path), resolveDir: root, loader: 'js' }));
  },
};

function codeOf(name: string): string {
  const all = deployedEndpoints();
  const members = all.filter((endpoint) => functionOf(endpoint) === name || functionOf(endpoint, 'few') === name);
  const files = handlerFiles();
  const imports = members.map(({ operationId }) => {
    const file = files[operationId] ?? '';
    return `import { ${exportOf(operationId, file)} as ${operationId} } from ${JSON.stringify(file)};`;
  });
  return `
    import { joined } from ${JSON.stringify(join(root, 'lib/http/joined.ts'))};
    ${imports.join('\n')}
    export const handler = joined(
      [${members.map(({ operationId }) => operationId).join(', ')}],
      [${neighboursOf(members, all).map(routeIn).join(', ')}],
    );`;
}

function routeIn({ declaration: { method, path } }: Routed): string {
  return JSON.stringify({ method, path });
}
