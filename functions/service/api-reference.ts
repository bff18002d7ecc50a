import * as v from 'valibot';
import { endpointsOf } from '../../lib/http/endpoint.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { notFoundPage } from '../../lib/pages/error-page.ts';
import { htmlType } from '../../lib/pages/page.ts';
import { readReferenceFile } from '../../lib/pages/reference-files.ts';
import { referencePage } from '../../lib/pages/reference-page.ts';

const endpoint = endpointsOf('Service');

export const getApiReference = endpoint({
  route: 'GET /docs',
  summary: 'Shows the API reference.',
  description: 'This HTML page shows this document and can send requests. It loads nothing from other sites.',
  audience: 'public',
  rights: 'none',
  contentType: htmlType,
  responses: { 200: v.string() },
}).handle(
  async () => referencePage(),
  ({ html, headers }) => ({ headers, body: html }),
);

export const getApiReferenceFile = endpoint({
  route: 'GET /docs/{file}',
  summary: 'Returns a file of the API reference. `openapi` is this document.',
  description:
    'Browsers load these files for the page at `/docs`. Their names contain a version, so they can be cached forever.',
  audience: 'public',
  rights: 'none',
  // It needs no token, and a file has up to 1.7 MB.
  throttle: { ratePerSecond: 20, burst: 40 },
  contentType: 'text/*',
  errorPage: (error) => notFoundPage(error),
  responses: { 200: v.string() },
}).handle(
  // Unleash has the reference at /docs/openapi.
  async ({ params: { file } }) =>
    file === 'openapi' ? buildReferenceReply() : cacheForever(await readReferenceFile(file)),
  (reply) => reply,
);

function buildReferenceReply() {
  const { html, headers } = referencePage();
  return { body: html, headers: { ...headers, 'content-type': htmlType } };
}

/** Returns a reply that browsers may cache forever, since the address contains the version of the file. */
function cacheForever({ text, type }: { readonly text: string; readonly type: string }) {
  return { body: text, headers: { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' } };
}

let document: Readonly<Record<string, unknown>> | undefined;

export const getOpenApiDocument = endpoint({
  route: 'GET /docs/openapi.json',
  summary: 'Returns this document, which describes the whole API in OpenAPI 3.1.',
  description: 'Client generators accept it unchanged. The examples are real requests and replies.',
  audience: 'public',
  rights: 'none',
  // It is the largest reply that needs no token.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: v.looseObject({}) },
}).handle(async () => {
  // The registry contains this endpoint, so it is complete only after this module has been loaded.
  document ??= openApiDocument(await import('../index.ts'));
  return document;
});
