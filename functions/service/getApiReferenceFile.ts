import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { htmlType } from '../../lib/pages/page.ts';
import { readReferenceFile } from '../../lib/pages/reference-files.ts';
import { referencePage } from '../../lib/pages/reference-page.ts';

export const handler = endpoint({
  route: 'GET /docs/{file}',
  group: 'Service',
  summary: 'Returns a file of the API reference, or as `openapi` the reference itself.',
  audience: 'public',
  rights: 'none',
  // Anybody may ask for it, and a file has up to 1.7 MB.
  throttle: { ratePerSecond: 20, burst: 40 },
  contentType: 'text/*',
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
