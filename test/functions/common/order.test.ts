import { beforeAll, describe, expect, test } from 'vitest';
import { tokenOf } from '../../harness/features.ts';
import type { Service } from '../../harness/service.ts';
import { expectAccepted, expectRefused, operationsWithBody, preparedService, targetOf } from './operations.ts';

let service: Service;
let viewer: string;
beforeAll(async () => {
  service = await preparedService();
  viewer = await tokenOf(service, { username: 'viewer' });
});

interface Draft {
  token: string | null;
  contentType: string;
  text: string;
}

/** One mistake each, in the order in which they are looked for. A later one can be made in any draft of an earlier one. */
const mistakes = [
  {
    name: 'no token',
    status: 401,
    error: 'AuthenticationRequired',
    make: (draft: Draft) => ({ ...draft, token: null }),
  },
  {
    name: 'no permission',
    status: 403,
    error: 'NoAccessError',
    make: (draft: Draft) => ({ ...draft, token: draft.token && viewer }),
  },
  {
    name: 'a body too long',
    status: 413,
    error: 'ContentTooLarge',
    make: (draft: Draft) => ({ ...draft, text: draft.text.padEnd(102_401, ' ') }),
  },
  {
    name: 'the wrong content type',
    status: 415,
    error: 'ContentTypeerror',
    make: (draft: Draft) => ({ ...draft, contentType: 'text/plain' }),
  },
  {
    name: 'malformed JSON',
    status: 400,
    error: 'ValidationError',
    make: (draft: Draft) => ({ ...draft, text: `{${draft.text}` }),
  },
];
const pairs = mistakes.flatMap((first, index) => mistakes.slice(index + 1).map((second) => ({ first, second })));

describe.each(operationsWithBody)('$operationId', ({ declaration, method, target, body }) => {
  const byPath = declaration.authorizedBy === undefined;
  const right = (): Draft => ({
    token: service.adminToken,
    contentType: 'application/json',
    text: JSON.stringify(body),
  });
  const send = ({ token, contentType, text }: Draft, to = target) =>
    service.call(method, to, { token, body: text, headers: { 'content-type': contentType } });
  const isCheckedEarly = ({ status }: { status: number }) => byPath || status !== 403;

  test('answers each mistake by its own error, and nothing but mistakes by one', async () => {
    expectAccepted(await send(right()));
    for (const { make, status, error } of mistakes) expectRefused(await send(make(right())), status, error);
  });

  test.each(pairs.filter(({ first, second }) => isCheckedEarly(first) && isCheckedEarly(second)))(
    'finds $first.name ($first.status) before $second.name ($second.status)',
    async ({ first, second }) => {
      expectRefused(await send(first.make(second.make(right()))), first.status, first.error);
      expectRefused(await send(second.make(first.make(right()))), first.status, first.error);
    },
  );

  if (!byPath)
    test.each(mistakes.filter(({ status }) => status > 403 || status === 400))(
      'finds $name ($status) before a permission that depends on the body or the feature is missing (403)',
      async ({ make, status, error }) => {
        expectRefused(await send({ ...make(right()), token: viewer }), status, error);
      },
    );

  const unknown = { projectId: 'unknown', featureName: 'unknown', environment: 'unknown' };

  if (declaration.path.includes('{'))
    test('finds all of them before it looks for what the path names (404)', async () => {
      const elsewhere = targetOf(declaration.path, unknown);
      expectRefused(await send(right(), elsewhere), 404, 'NotFoundError');
      for (const { make, status, error } of mistakes)
        expectRefused(await send(make(right()), elsewhere), status, error);
      const schemaMistake = { ...right(), text: '[]' };
      expectRefused(await send(schemaMistake, elsewhere), 400, 'ValidationError');
    });

  if (declaration.path.includes('{'))
    test('finds all of them before a bad percent escape (400)', async () => {
      const bad = declaration.path.replaceAll(/\{\w+\}/g, '%zz');
      expectRefused(await send(right(), bad), 400, 'ValidationError');
      for (const { make, status, error } of mistakes.filter(isCheckedEarly)) {
        expectRefused(await send(make(right()), bad), status, error);
      }
    });
});

test('there is a pair of mistakes for every two of them', () => {
  expect(pairs).toHaveLength(10);
});
