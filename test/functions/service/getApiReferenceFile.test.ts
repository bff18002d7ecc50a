import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { referenceDirectory } from '../../../lib/pages/reference-directory.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

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
