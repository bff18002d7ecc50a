import * as v from 'valibot';
import { endpoint } from '../../lib/http/endpoint.ts';
import { version } from '../../lib/http/version.ts';
import { htmlType } from '../../lib/pages/page.ts';
import { startPage } from '../../lib/pages/start-page.ts';

export const handler = endpoint({
  route: 'GET /',
  group: 'Service',
  summary: 'Shows a start page.',
  audience: 'public',
  rights: 'none',
  contentType: htmlType,
  reads: ['CONSOLE_DIRECTORY'],
  responses: { 200: v.string() },
}).handle(
  async () => startPage({ version, hasConsole: Boolean(process.env.CONSOLE_DIRECTORY) }),
  ({ html, headers }) => ({ headers, body: html }),
);
