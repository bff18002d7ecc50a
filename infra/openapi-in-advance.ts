import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';
import * as registry from '../functions/index.ts';
import { openApiDocument } from '../lib/http/openapi.ts';

/**
 * Makes the OpenAPI document when bundling. It is the same on every call, yet the function that answers it would hold
 * the code of all other functions, and of what turns schemas into JSON Schema, to work it out.
 */
export const openApiInAdvance: Plugin = {
  name: 'openapi-in-advance',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]lib[\\/]http[\\/]openapi\.ts$/ }, () => {
      const text = gzipSync(JSON.stringify(openApiDocument(registry))).toString('base64');
      const contents = `
        import { gunzipSync } from 'node:zlib';
        export const openApiDocument = () => JSON.parse(gunzipSync(Buffer.from('${text}', 'base64')));`;
      return { contents, loader: 'js' };
    });
    onLoad({ filter: /[\\/]functions[\\/]index\.ts$/ }, () => ({ contents: '', loader: 'js' }));
  },
};
