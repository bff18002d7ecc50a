import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { referenceDirectory } from '../../../lib/pages/reference-directory.ts';
import about from '../../../package.json' with { type: 'json' };
import type { Reply } from '../../harness/service.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getHealth', { route: 'GET /health', may: 'anyone', request: () => ({}) });

specify('getOpenApiDocument', { route: 'GET /docs/openapi.json', may: 'anyone', request: () => ({}) });

specify('getReady', { route: 'GET /ready', may: 'anyone', request: () => ({}) });

describe('The service', () => {
  const service = sharedService();

  test('the health check tells strangers no version; the OpenAPI document has that of the release', async () => {
    expect((await service.get('/health', { token: null })).body).toEqual({ health: 'GOOD' });
    expect((await service.get('/docs/openapi.json', { token: null })).body.info.version).toBe(about.version);
  });
});

specify('getApiReference', { route: 'GET /docs', may: 'anyone', request: () => ({}) });

describe('The API reference', () => {
  let page: Reply;
  const service = sharedService();
  beforeAll(async () => {
    page = await service.get('/docs', { token: null });
  });

  const linksIn = (html: string) => [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, link = '']) => link);
  const script = (html: string) => html.match(/<script type="module">(.*)<\/script>/s)?.[1] ?? '';

  test('is made of what this service answers to anybody, and of nothing from elsewhere', async () => {
    // Other links lead to the console.
    const links = linksIn(page.text).filter((link) => link.startsWith('/docs'));
    expect(links).toHaveLength(3);
    for (const link of links) expect((await service.get(link, { token: null })).status, link).toBe(200);
    expect(page.text).not.toMatch(/(?:href|src)="(?!\/|data:)/);
    expect(script(page.text)).toContain("url: '/docs/openapi.json'");
  });

  test('lets the browser run and load nothing else', () => {
    const { 'content-security-policy': policy = '' } = page.headers;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).toContain(
      `script-src 'sha256-${createHash('sha256').update(script(page.text)).digest('base64')}' 'self';`,
    );
    expect(policy).not.toMatch(/unsafe|http|\*/);
  });

  test('begins with how to authenticate, and follows the colours of the system', () => {
    const [first] = page.text.match(/<h\d[^>]*>[^<]*/) ?? [];
    expect(first).toContain('How to authenticate');
    expect(page.text).toContain('<code>Authorization</code>');
    expect(script(page.text)).toContain('(prefers-color-scheme: dark)');
  });

  test('leads to the OpenAPI document where no script runs', () => {
    expect(page.text).toMatch(/<noscript>.*href="\/docs\/openapi\.json".*<\/noscript>/s);
  });
});

specify('getApiReferenceFile', {
  route: 'GET /docs/{file}',
  may: 'anyone',
  request: () => ({ params: { file: 'swagger-ui.css' } }),
});

const service = sharedService();

describe('A file of the API reference', () => {
  test.each([
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ])('%s is that of the package, compressed, and kept by browsers for good', async (name, type) => {
    const file = await service.get(`/docs/${name}?v=1`, { token: null, headers: { 'accept-encoding': 'br, gzip' } });
    expect(file.text).toBe(readFileSync(join(referenceDirectory(), name), 'utf8'));
    expect(file.headers).toMatchObject({
      'content-type': type,
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test.each(['openapi', 'openapi/'])('%s is the reference itself, whose address that is on Unleash', async (name) => {
    const { status, text, headers } = await service.get(`/docs/${name}`, { token: null });
    expect([status, text]).toEqual([200, (await service.get('/docs', { token: null })).text]);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('is answered to a client that takes no compression, too', async () => {
    const plain = await service.get('/docs/swagger-ui-bundle.js', { headers: { 'accept-encoding': 'identity' } });
    expect(plain.status).toBe(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  test.each([
    'package.json',
    'index.html',
    '..',
    '..%2fpackage.json',
    'swagger-ui.css%00',
    '__proto__',
    'Swagger-UI.css',
  ])('%s does not exist', async (name) => {
    const { status, headers } = await service.get(`/docs/${name}`, { token: null });
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
  });
});
