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
  description:
    'It is an HTML page for browsers that shows this document and can send requests. It loads nothing from elsewhere.',
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
  summary: 'Returns a file of the API reference, or as `openapi` the reference itself.',
  description:
    'A browser loads these files for the page at `/docs`. Their names have a version, so that they may be kept forever.',
  audience: 'public',
  rights: 'none',
  // Anybody may ask for it, and a file has up to 1.7 MB.
  throttle: { ratePerSecond: 20, burst: 40 },
  contentType: 'text/*',
  errorPage: (error) => notFoundPage(error, true),
  responses: { 200: v.string() },
}).handle(
  // The address of the reference on Unleash.
  async ({ params: { file } }) => (file === 'openapi' ? reference() : forGood(await readReferenceFile(file))),
  (reply) => reply,
);

function reference() {
  const { html, headers } = referencePage();
  return { body: html, headers: { ...headers, 'content-type': htmlType } };
}

/** A file whose address has the version of what it holds. */
function forGood({ text, type }: { readonly text: string; readonly type: string }) {
  return { body: text, headers: { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' } };
}

let document: Readonly<Record<string, unknown>> | undefined;

export const getOpenApiDocument = endpoint({
  route: 'GET /docs/openapi.json',
  summary: 'Returns this document: the whole API as OpenAPI 3.1.',
  description: 'Generators of clients take it as it is. The examples are real requests and replies.',
  audience: 'public',
  rights: 'none',
  // Anybody may ask for it, and it is the largest answer that needs no token.
  throttle: { ratePerSecond: 20, burst: 40 },
  responses: { 200: v.looseObject({}) },
}).handle(async () => {
  // The registry holds this endpoint, so it can be looked at only once it is complete.
  document ??= openApiDocument(await import('../index.ts'));
  return document;
});
