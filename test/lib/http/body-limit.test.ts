import { expect, test, vi } from 'vitest';
import { expectRefused } from '../../specifications/expect.ts';
import { sharedService } from '../../specifications/specify.ts';

/** Every specification holds that its endpoint has the limit; here is how it counts, and how it is raised. */

/** "By default at most 100 kB", and what Lambda leaves room for. */
const limit = 102_400;
const limitMax = 4_718_592;

const service = sharedService();

interface Request {
  readonly target: string;
  readonly body: object;
}

const validate: Request = { target: '/api/admin/projects/validate', body: { id: 'fresh' } };
const file = { features: [], featureStrategies: [], tagTypes: [] };
const importFile: Request = {
  target: '/api/admin/features-batch/import',
  body: { project: 'default', environment: 'development', data: file },
};

/** JSON of exactly so many bytes, most of them in letters of two and four bytes in a property that nobody knows. */
function lettered(body: object, bytes: number): string {
  const before = `${JSON.stringify(body).slice(0, -1)},"padding":"`;
  const missing = bytes - Buffer.byteLength(before) - 2;
  const letters = '😀é'.repeat(Math.floor(missing / 6)) + 'x'.repeat(missing % 6);
  return `${before}${letters}"}`;
}

async function expectLimit(bytes: number, { target, body } = validate, sent: (text: string) => unknown = String) {
  expect((await service.post(target, sent(lettered(body, bytes)))).status).toBe(200);
  expectRefused(await service.post(target, sent(lettered(body, bytes + 1))), 413, 'ContentTooLarge');
}

test('The bodies of this test have the intended length in bytes, with fewer characters', () => {
  for (const bytes of [limit, limit + 1, limit + 2]) expect(Buffer.byteLength(lettered({ a: 1 }, bytes))).toBe(bytes);
  expect(lettered({}, limit).length).toBeLessThan(limit * 0.6);
});

test('The limit is exactly 102,400 bytes; for base64 the decoded bytes count', async () => {
  await expectLimit(limit);
  await expectLimit(limit, validate, Buffer.from);
});

test('BODY_LIMIT_BYTES sets the limit', async () => {
  for (const bytes of [200_000, 50_000]) {
    vi.stubEnv('BODY_LIMIT_BYTES', `${bytes}`);
    await expectLimit(bytes);
  }
  vi.stubEnv('BODY_LIMIT_BYTES', '');
  await expectLimit(limit);
});

test('The limit can be raised to 4,718,592 bytes', async () => {
  vi.stubEnv('BODY_LIMIT_BYTES', `${limitMax}`);
  expect((await service.post(validate.target, lettered(validate.body, limitMax))).status).toBe(200);
  await expectLimit(limitMax);
});

test('IMPORT_BODY_LIMIT_BYTES sets only the limit of imports, which by default is BODY_LIMIT_BYTES or 524,288 bytes', async () => {
  await expectLimit(524_288, importFile);
  vi.stubEnv('BODY_LIMIT_BYTES', '200000');
  await expectLimit(200_000, importFile);
  vi.stubEnv('IMPORT_BODY_LIMIT_BYTES', '300000');
  await expectLimit(300_000, importFile);
  await expectLimit(200_000);
});
