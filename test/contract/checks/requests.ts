import { describe, expect, test } from 'vitest';
import { type Client, expectRefusal, refusedPaths } from '../client.ts';
import { type ContractOperation, contractOperations } from '../operations.ts';
import { targetIn } from '../target.ts';

/** "By default at most 100 kB". */
const defaultLimit = 102_400;
/** Nobody has them. */
const badTokens = [null, '', 'not-a-token', '*:*.0123456789', 'user:0123456789', 'default:development.0123456789'];
const contentTypes = ['text/plain', 'application/xml', null];

/**
 * The operations that a check asks: all of a deployment; of a service of our own the first of each beginning of a path,
 * since the specifications ask all of them within the process.
 */
function asked(all: readonly ContractOperation[]): readonly ContractOperation[] {
  if (targetIn(process.env) !== undefined) return all;
  const subjectOf = ({ path }: ContractOperation) => path.split(/[/?]/)[3];
  return all.filter((each) => each === all.find((other) => subjectOf(other) === subjectOf(each)));
}

const operationsWithBody = asked(contractOperations.filter(({ body }) => body !== undefined));
const [someOperation] = operationsWithBody;
/** All forms of a mistake are sent to one operation, and some of them to each: the code that refuses them is the same. */
const formsFor = <T>(operation: ContractOperation, all: readonly T[], each: readonly T[]): readonly T[] =>
  operation === someOperation ? all : each;

/** An operation that nobody may call until an Admin switches it on. */
const isOffByDefault = ({ operationId }: ContractOperation) => operationId === 'callMcp';

/** A body, followed by so many spaces that it has this length. */
const sized = (body: unknown, bytes: number) => JSON.stringify(body).padEnd(bytes);

/** Requests that every operation refuses. */
export function checkRequests(client: () => Client): void {
  const call = ({ method, path, body }: ContractOperation, token?: string | null) =>
    client().call(method, path, { body, ...(token !== undefined && { token }) });

  describe.each(asked(contractOperations))('$operationId', (operation) => {
    test('answers 401 to whatever is no valid token, before anything else', async () => {
      for (const token of formsFor(operation, badTokens, [null, 'not-a-token']))
        expectRefusal(await call(operation, token), 401, 'AuthenticationRequired');
    });
  });

  describe.each(asked(contractOperations.filter(({ isOfUnknown }) => isOfUnknown)))('$operationId', (operation) => {
    test('answers 404 to an Admin who names what does not exist', async () => {
      expectRefusal(await call(operation), 404, 'NotFoundError');
    });
  });

  const open = contractOperations.filter((operation) => operation.isOpen && !isOffByDefault(operation));
  describe.each(asked(open))('$operationId', (operation) => {
    test('may be called by a Viewer', async () => {
      const { status } = await call(operation, client().viewerToken);
      // They name things that do not exist here, which may be a 400 or a 404.
      expect([401, 403].includes(status) || status >= 500, String(status)).toBe(false);
    });
  });

  describe.each(asked(contractOperations.filter(({ isOpen }) => !isOpen)))('$operationId', (operation) => {
    test('answers 403 to a Viewer, whether what they name exists or not', async () => {
      expectRefusal(await call(operation, client().viewerToken), 403, 'NoAccessError');
    });
  });

  describe.each(operationsWithBody)('$operationId', (operation) => {
    const { method, path, body, bodyBytesMax: limit = defaultLimit, required } = operation;

    test(`answers 413 to a body of one byte more than ${limit}`, async () => {
      expectRefusal(await client().call(method, path, { body: sized(body, limit + 1) }), 413, 'ContentTooLarge');
    });

    test('answers 415 to another content type than JSON, and to none', async () => {
      for (const contentType of formsFor(operation, contentTypes, ['text/plain'])) {
        expectRefusal(await client().call(method, path, { body, contentType }), 415, 'ContentTypeerror');
      }
    });

    test('answers 400 to what is no JSON, or no object', async () => {
      const noObject = Array.isArray(body) ? '{}' : '[]';
      for (const text of formsFor(operation, ['{', '', noObject, '"text"', 'null'], ['{', noObject])) {
        const answer = await client().call(method, path, { body: text, contentType: 'application/json' });
        expectRefusal(answer, 400, 'ValidationError');
      }
    });

    if (required.length > 0)
      test('names every property that is missing', async () => {
        expect(refusedPaths(await client().call(method, path, { body: {} }))).toEqual(required);
      });
  });

  test('a body of 102,400 bytes is read', async () => {
    const { method, path, body } = someOperation as ContractOperation;
    const { status } = await client().call(method, path, { body: sized(body, defaultLimit) });
    expect(status).not.toBe(413);
  });
}
