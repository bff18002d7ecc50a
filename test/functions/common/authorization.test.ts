import { beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../../../lib/users/token-store.ts';
import type { Answer, Service } from '../../harness/service.ts';
import { addCallers, callers, tokenRequestOf } from './access/callers.ts';
import { guardedOperations } from './access/outcomes.ts';
import { type Question, questionFor, questionsOf } from './access/questions.ts';
import { importOf } from './access/requests.ts';
import { expectAccepted, expectRefused, preparedService } from './operations.ts';

let service: Service;
const tokens = new Map<string, string>();

beforeAll(async () => {
  service = await preparedService();
  expectAccepted(await service.post('/api/admin/features-batch/import', importOf('default')));
  await addCallers(service.table);
  for (const caller of callers) {
    const { secret } = await createToken(service.table, tokenRequestOf(caller));
    tokens.set(caller.name, secret);
  }
});

/** Callers without rights in the project `default` and in what belongs to none, and what they are told there. */
const strangers = [
  ['nobody', 401, 'AuthenticationRequired'],
  ['a Viewer', 403, 'NoAccessError'],
  ['a user without a role', 403, 'NoAccessError'],
  ['an Owner', 403, 'NoAccessError'],
  ['a Member', 403, 'NoAccessError'],
] as const;

/** What an answer tells besides its own id. */
function told({ status, headers, body: { id, ...body } }: Answer) {
  const { 'x-request-id': _, ...others } = headers;
  return { status, headers: others, body };
}

/** The same without the names that it quotes. */
function toldOfAny(answer: Answer): string {
  return JSON.stringify(told(answer)).replaceAll(/\\"[^"]*\\"/g, '…');
}

describe.each(guardedOperations)('$operationId', (operation) => {
  const { method, target, declaration } = operation;
  const { permission, authorizedBy, path } = declaration;
  const needed = permission === undefined ? [] : [permission].flat();
  const ask = (name: string, question: Question, headers = {}) =>
    service.call(method, question.target, { token: tokens.get(name) ?? null, body: question.body, headers });

  test.each(strangers.filter(([name]) => needed.length > 0 || name === 'nobody'))(
    'tells %s the same %i, whether what it is asked for exists or not',
    async (name, status, error) => {
      const { existing, unknown } = questionsOf(operation);
      const answer = await ask(name, existing);
      expectRefused(answer, status, error);
      if (status === 403) expect(needed.some((each) => answer.body.message.includes(each))).toBe(true);
      for (const question of unknown) expect(told(await ask(name, question))).toEqual(told(answer));
    },
  );

  const hidden = questionFor(operation, 'landing');
  const missing = questionFor(operation, 'missing');
  if (path.includes('{projectId}') && hidden !== undefined && missing !== undefined)
    test('tells a Member of a project the same of a feature elsewhere as of one that does not exist', async () => {
      const answer = await ask('a Member', hidden);
      expectRefused(answer, 404, 'NotFoundError');
      expect(toldOfAny(await ask('a Member', missing))).toBe(toldOfAny(answer));
    });

  if (needed.length > 0 && authorizedBy === undefined)
    test('answers 403 to a Viewer before it looks at the path and the body', async () => {
      const bodies = [undefined, '{', '[]', ' '.repeat(102_401)].map((each) => ({ body: each, headers: {} }));
      const odd = ['content-type', 'content-encoding'].map((name) => ({ body: '{}', headers: { [name]: 'odd' } }));
      const bad = path.replaceAll(/\{\w+\}/g, '%zz');
      for (const { headers, ...rest } of [...bodies, ...odd]) {
        for (const each of [target, bad]) {
          expectRefused(await ask('a Viewer', { target: each, ...rest }, headers), 403, 'NoAccessError');
        }
      }
    });

  if (authorizedBy === 'handler')
    test('tells a Viewer what is wrong with the body before it answers 403', async () => {
      expectRefused(await ask('a Viewer', { target, body: {} }), 400, 'ValidationError');
    });
});
