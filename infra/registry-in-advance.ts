import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import * as registry from '../functions/index.ts';
import type { Endpoint } from '../lib/http/declaration.ts';
import { openApiDocument } from '../lib/http/openapi.ts';

/** The compressed document. It takes long to build, and several runs of the bundler need it. */
let document: string | undefined;

/**
 * Computes at bundle time what a function says about all endpoints: the OpenAPI document, and the methods of each path. Both are
 * the same for every call. Otherwise the bundle would contain the code of all endpoints, and that which converts schemas to JSON
 * Schema.
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
      const deployed = Object.entries<Endpoint>(registry).filter(([, { declaration }]) => !declaration.streams);
      const routes = deployed.map(
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
