import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { htmlType } from '../../lib/pages/page.ts';
import { referencePage } from '../../lib/pages/reference-page.ts';

export const handler = endpoint({
  route: 'GET /docs',
  group: 'Service',
  summary: 'Shows the API reference.',
  audience: 'public',
  rights: 'none',
  contentType: htmlType,
  responses: { 200: v.string() },
}).handle(
  async () => referencePage(),
  ({ html, headers }) => ({ headers, body: html }),
);
