import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import * as registry from '../functions/index.ts';
import { openApiDocument } from '../lib/http/openapi.ts';

/** The document, compressed: it takes long to make, and several runs of the bundler need it. */
let document: string | undefined;

/**
 * Works out when bundling what a function says of all others: the OpenAPI document, and which path takes which methods.
 * Both are the same on every call, yet the function would hold the code of all others, and of what turns schemas into
 * JSON Schema.
 */
export const registryInAdvance: Plugin = {
  name: 'registry-in-advance',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]lib[\\/]http[\\/]openapi\.ts$/ }, () => {
      document ??= gzipSync(JSON.stringify(openApiDocument(registry))).toString('base64');
      const contents = `
        import { gunzipSync } from 'node:zlib';
        export const openApiDocument = () => JSON.parse(gunzipSync(Buffer.from('${document}', 'base64')));`;
      return { contents, loader: 'js' };
    });
    onLoad({ filter: /[\\/]functions[\\/]index\.ts$/ }, () => {
      const routes = Object.entries(registry).map(
        ([
          operationId,
          {
            declaration: { method, path },
          },
        ]) => {
          return `export const ${operationId} = ${JSON.stringify({ declaration: { method, path } })};`;
        },
      );
      return { contents: routes.join('\n'), loader: 'js' };
    });
  },
};
