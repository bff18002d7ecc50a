import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer, Service } from '../../harness/service.ts';
import {
  expectAccepted,
  expectRefused,
  type Operation,
  operations,
  operationsWithBody,
  preparedService,
} from './operations.ts';

/** "By default at most 100 kB", and what Lambda leaves room for. */
const limit = 102_400;
const limitMax = 4_718_592;

let service: Service;
beforeAll(async () => {
  service = await preparedService();
});
afterEach(() => vi.unstubAllEnvs());

/** JSON of exactly so many bytes, with spaces at its end. */
function spaced(body: object, bytes: number): string {
  const text = JSON.stringify(body);
  return text + ' '.repeat(bytes - Buffer.byteLength(text));
}

/** JSON of exactly so many bytes, most of them in letters of two and four bytes in a property that nobody knows. */
function lettered(body: object, bytes: number): string {
  const before = `${JSON.stringify(body).slice(0, -1)},"padding":"`;
  const missing = bytes - Buffer.byteLength(before) - 2;
  const letters = '😀é'.repeat(Math.floor(missing / 6)) + 'x'.repeat(missing % 6);
  return `${before}${letters}"}`;
}

const forms = { spaced, lettered };

const send = ({ method, target }: Operation, body: string | Buffer): Promise<Answer> =>
  service.call(method, target, { body });

test('the bodies of this test have the length that they should have', () => {
  for (const form of Object.values(forms)) {
    for (const bytes of [limit, limit + 1, limit + 2, limit + 3]) {
      const text = form({ a: 1 }, bytes);
      expect(Buffer.byteLength(text)).toBe(bytes);
      expect(JSON.parse(text)).toMatchObject({ a: 1 });
    }
  }
  expect(lettered({}, limit).length).toBeLessThan(limit * 0.6);
});

describe.each(operations)('$operationId', (operation) => {
  test('answers 413 to a body of one byte more than 102,400, whether it takes one or not', async () => {
    const text = spaced(operation.body ?? {}, limit + 1);
    expectRefused(await send(operation, text), 413, 'ContentTooLarge');
    expectRefused(await send(operation, Buffer.from(text)), 413, 'ContentTooLarge');
  });
});

describe.each(operationsWithBody)('$operationId', (operation) => {
  test.each(Object.entries(forms))('takes 102,400 bytes and not one more (%s)', async (_, form) => {
    expectAccepted(await send(operation, form(operation.body, limit)));
    expectRefused(await send(operation, form(operation.body, limit + 1)), 413, 'ContentTooLarge');
  });

  test.each(Object.entries(forms))('counts the bytes of a body in base64, not its letters (%s)', async (_, form) => {
    for (const bytes of [limit - 2, limit - 1, limit]) {
      expectAccepted(await send(operation, Buffer.from(form(operation.body, bytes))));
    }
    for (const bytes of [limit + 1, limit + 2]) {
      expectRefused(await send(operation, Buffer.from(form(operation.body, bytes))), 413, 'ContentTooLarge');
    }
  });

  test('takes as much as BODY_LIMIT_BYTES says', async () => {
    vi.stubEnv('BODY_LIMIT_BYTES', '200000');
    expectAccepted(await send(operation, spaced(operation.body, 200_000)));
    expectRefused(await send(operation, spaced(operation.body, 200_001)), 413, 'ContentTooLarge');
    vi.stubEnv('BODY_LIMIT_BYTES', '50000');
    expectRefused(await send(operation, spaced(operation.body, 50_001)), 413, 'ContentTooLarge');
    vi.stubEnv('BODY_LIMIT_BYTES', '');
    expectAccepted(await send(operation, spaced(operation.body, limit)));
  });

  test('can be made to take 4,718,592 bytes', async () => {
    vi.stubEnv('BODY_LIMIT_BYTES', `${limitMax}`);
    expectAccepted(await send(operation, lettered(operation.body, limitMax)));
    expectRefused(await send(operation, spaced(operation.body, limitMax + 1)), 413, 'ContentTooLarge');
  });

  const isImport = operation.operationId === 'importToggles';
  test(`${isImport ? 'heeds' : 'does not heed'} IMPORT_BODY_LIMIT_BYTES`, async () => {
    vi.stubEnv('IMPORT_BODY_LIMIT_BYTES', '300000');
    vi.stubEnv('BODY_LIMIT_BYTES', '200000');
    const own = isImport ? 300_000 : 200_000;
    expectAccepted(await send(operation, spaced(operation.body, own)));
    expectRefused(await send(operation, spaced(operation.body, own + 1)), 413, 'ContentTooLarge');
  });
});
