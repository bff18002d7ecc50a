import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../harness/service.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getApiReference', { route: 'GET /docs', may: 'anyone', request: () => ({}) });

let page: Reply;
const service = sharedService();
beforeAll(async () => {
  page = await service.get('/docs', { token: null });
});

const linksIn = (html: string) => [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, link = '']) => link);
const script = (html: string) => html.match(/<script type="module">(.*)<\/script>/s)?.[1] ?? '';

describe('The API reference', () => {
  test('is made of what this service answers to anybody, and of nothing from elsewhere', async () => {
    const links = linksIn(page.text);
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

  test('leads to the OpenAPI document where no script runs', () => {
    expect(page.text).toMatch(/<noscript>.*href="\/docs\/openapi\.json".*<\/noscript>/s);
  });
});
