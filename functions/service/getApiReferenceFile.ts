import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { readReferenceFile } from '../../lib/pages/reference-files.ts';

export const handler = endpoint({
  method: 'GET',
  path: '/docs/{file}',
  group: 'Service',
  summary: 'Returns a file of the API reference.',
  audience: 'public',
  rights: 'none',
  // Anybody may ask for it, and a file has up to 1.7 MB.
  throttle: { ratePerSecond: 20, burst: 40 },
  contentType: 'text/*',
  responses: { 200: v.string() },
  errors: [404],
}).handle(
  ({ params }) => readReferenceFile(params.file),
  ({ text, type }) => ({
    // Its address has the version of what it holds.
    headers: { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' },
    body: text,
  }),
);
