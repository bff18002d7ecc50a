import { describe, expect, test } from 'vitest';
import { type Client, expectRefused, problemPaths } from '../client.ts';
import { type ContractOperation, operations } from '../operations.ts';

/** "By default at most 100 kB". */
const limit = 102_400;
/** Nobody has them. */
const badTokens = [null, '', 'not-a-token', '*:*.0123456789', 'user:0123456789', 'default:development.0123456789'];

const operationsWithBody = operations.filter(({ body }) => body !== undefined);

/** What every operation refuses alike. */
export function checkRequests(client: () => Client): void {
  const call = ({ method, path, body }: ContractOperation, token?: string | null) =>
    client().call(method, path, { body, ...(token !== undefined && { token }) });

  describe.each(operations)('$operationId', (operation) => {
    test('answers 401 to whatever is no valid token, before anything else', async () => {
      for (const token of badTokens) expectRefused(await call(operation, token), 401, 'AuthenticationRequired');
    });

    if (operation.isOfUnknown)
      test('answers 404 to an Admin who names what does not exist', async () => {
        expectRefused(await call(operation), 404, 'NotFoundError');
      });
  });

  describe.each(operations.filter(({ isOpen }) => isOpen))('$operationId', (operation) => {
    test('may be called by a Viewer', async () => {
      const { status } = await call(operation, client().viewerToken);
      // What they name does not exist here, which may be a 400 or a 404.
      expect([401, 403].includes(status) || status >= 500, String(status)).toBe(false);
    });
  });

  describe.each(operations.filter(({ isOpen }) => !isOpen))('$operationId', (operation) => {
    test('answers 403 to a Viewer, whether what they name exists or not', async () => {
      expectRefused(await call(operation, client().viewerToken), 403, 'NoAccessError');
    });
  });

  describe.each(operationsWithBody)('$operationId', ({ method, path, body, required }) => {
    test('answers 413 to a body of one byte more than 102,400, and reads one of 102,400', async () => {
      const text = JSON.stringify(body);
      const sized = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text));
      expectRefused(await client().call(method, path, { body: sized(limit + 1) }), 413, 'ContentTooLarge');
      expect((await client().call(method, path, { body: sized(limit) })).status).not.toBe(413);
    });

    test('answers 415 to another content type than JSON, and to none', async () => {
      for (const contentType of ['text/plain', 'application/xml', null]) {
        expectRefused(await client().call(method, path, { body, contentType }), 415, 'ContentTypeerror');
      }
    });

    test('answers 400 to what is no JSON, or no object', async () => {
      for (const text of ['{', '', Array.isArray(body) ? '{}' : '[]', '"text"', 'null']) {
        const answer = await client().call(method, path, { body: text, contentType: 'application/json' });
        expectRefused(answer, 400, 'ValidationError');
      }
    });

    if (required.length > 0)
      test('names every property that is missing', async () => {
        expect(problemPaths(await client().call(method, path, { body: {} }))).toEqual(required);
      });
  });
}
