import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import about from '../../../package.json' with { type: 'json' };
import type { Reply } from '../../harness/service.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getStartPage', { route: 'GET /', may: 'anyone', request: () => ({}) });

let start: Reply;
const service = sharedService();
beforeAll(async () => {
  start = await service.get('/', { token: null });
});

test('the root shows people what this is, in its version, in the language that it says', () => {
  expect(start.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(start.text).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(start.text).toContain('<h1>Flagstaff</h1>');
  expect(start.text).toContain(`Version ${about.version}`);
});

test('every link of the root leads somewhere', async () => {
  const links = [...start.text.matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links).toContain('/docs/openapi.json');
  expect(links).toContain('/health');
  for (const link of links) expect((await service.get(link, { token: null })).status, link).toBe(200);
});

test('the root lets its own style apply and nothing else load or run', () => {
  const { 'content-security-policy': policy = '' } = start.headers;
  const [, style = ''] = start.text.match(/<style>(.*)<\/style>/s) ?? [];
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(start.text).not.toMatch(/<script|style="|\son\w+=/);
});

test('the health check and the OpenAPI document have the one version of the release', async () => {
  expect((await service.get('/health', { token: null })).body).toEqual({ health: 'GOOD', version: about.version });
  expect((await service.get('/docs/openapi.json', { token: null })).body.info.version).toBe(about.version);
});
