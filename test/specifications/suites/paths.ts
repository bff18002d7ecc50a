import { expect, test } from 'vitest';
import * as registry from '../../../functions/index.ts';
import { type Endpoint, statusOf } from '../../../lib/http/declaration.ts';
import type { Reply } from '../../harness/service.ts';
import { pathVariablesOf, targetOf } from '../example.ts';
import { expectCarriable, expectRefused } from '../expect.ts';
import type { Specification } from '../specification.ts';
import type { Trial } from '../trial.ts';

/** An invalid escape. test/lib/http/paths.test.ts tests other invalid escapes. */
const badEscape = '%zz';
const noNames = ['__proto__', 'a%23b', 'n'.repeat(5_000)];
/** Hard to quote in an error: NUL, and emoji that a cut after 100 characters would split. */
const hardToQuote = ['%00', encodeURI(`x${'😀'.repeat(200)}`), encodeURI(`xy${'😀'.repeat(200)}`)];

/** Declares the tests of a path: spelling, methods, and unknown or malformed values. */
export function testPaths(trial: Trial): void {
  const { route, may, takesAnyName = [] } = trial.specification;
  const variables = pathVariablesOf(route);

  test('accepts extra slashes, capitals, escaped characters and unknown query parameters, and decodes each value once', async () => {
    const example = await trial.repeatableExample();
    const { params = {} } = example.specified;
    const escaped = variables.map((name) => [name, everyLetterEscaped(String(params[name]))] as const);
    if (takesAnyName.length < variables.length) {
      const twice = escaped.map(([name, value]) => [name, value.replaceAll('%', '%25')] as const);
      const answer = await trial.sendTo(await trial.idleExample(), Object.fromEntries(twice));
      expect(answer.status, answer.text).toBeOneOf([400, 404]);
    }
    const [path = '', query = ''] = targetOf(asOddlySent(route), example.specified, Object.fromEntries(escaped)).split(
      '?',
    );
    const odd = `${path}/?${query}&%zz&__proto__=1&unknown=${'n'.repeat(4_000)}`;
    const answer = await trial.send(example, { target: odd });
    expect(answer.status, answer.text).toBe(statusOf(trial.declaration));
  });

  // In test/lib/http, paths.test.ts tests that 401 comes before 405, and fallback.test.ts tests further methods.
  test('answers 405 to an unsupported method; this reply and OPTIONS list the supported ones in Allow', async () => {
    const example = await trial.idleExample();
    const known = methodsOf(trial.declaration.path);
    const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
    const allowedBy = ({ headers }: Reply) => headers.allow?.split(', ').toSorted();
    const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'].find((each) => !known.includes(each)) as string;
    const refused = await trial.send(example, { method });
    expectRefused(refused, 405, 'MethodNotAllowed');
    expect(allowedBy(refused)).toEqual(allow);
    const options = await trial.send(example, { method: 'OPTIONS', token: null });
    expect(options).toMatchObject({ status: 204, text: '' });
    expect(allowedBy(options)).toEqual(allow);
  });

  if (trial.declaration.method === 'GET')
    test('answers HEAD like GET, without the body', async () => {
      const first = await trial.idleExample();
      // A request that succeeds only once needs a new example each time.
      const example = () => (trial.specification.again === 401 ? trial.example() : first);
      for (const token of [await trial.validToken(), null]) {
        const [got, head] = [
          await trial.send(await example(), { token }),
          await trial.send(await example(), { token, method: 'HEAD' }),
        ];
        expect(head).toMatchObject({ status: got.status, text: '' });
        // A reply that says when it was made has another ETag each time.
        const { 'x-request-id': _, etag, location: __, 'set-cookie': ___, ...headers } = got.headers;
        expect(head.headers).toMatchObject({ ...headers, ...(etag !== undefined && { etag: expect.any(String) }) });
        // A stream has no length.
        if (!trial.declaration.streams) expect(Number(head.headers['content-length']) > 0).toBe(got.text !== '');
      }
    });

  if (variables.length === 0) return;

  // Paths of public operations contain secrets, so their errors do not tell which part is wrong.
  if (may !== 'anyone')
    test('answers 404 if any part of its path is unknown', async () => {
      const example = await trial.idleExample();
      for (const name of variables.filter((each) => !takesAnyName.includes(each))) {
        const nothing = typeof example.specified.params?.[name] === 'number' ? '999999' : 'unknown';
        const advice = `There is no such ${name}: answer 404, or list it in takesAnyName; `;
        expectRefused(await trial.sendTo(example, { [name]: nothing }), 404, 'NotFoundError', advice);
      }
    });

  test('refuses a malformed name in its path, with an error in valid Unicode without NUL', async () => {
    const example = await trial.idleExample();
    for (const name of variables) {
      const bad = await trial.sendTo(example, { [name]: badEscape });
      // In a free-text parameter, the escape is ordinary text.
      if (trial.declaration.freeText?.includes(name)) expect(bad.status, bad.text).not.toBe(400);
      else expectRefused(bad, 400, 'ValidationError');
      for (const odd of [...noNames, ...hardToQuote]) {
        const answer = await trial.sendTo(example, { [name]: odd });
        if (takesAnyName.includes(name) && answer.status < 300) continue;
        expect(answer.status, `${name} = ${odd.slice(0, 40)}: ${answer.text}`).toBeOneOf([400, 404]);
        expectCarriable(answer);
      }
    }
  });
}

/** The routes. For the path /things/validate, /things/{id} handles the methods that /things/validate has no route for. */
const routes = Object.values<Endpoint>(registry).map(({ declaration: { method, path } }) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '(\\{\\w+\\}|[^/{]+)')}$`);
  return { method, path, pattern };
});

/** The methods that endpoints have on a path. */
function methodsOf(path: string): string[] {
  const members = routes.filter((each) => each.path === path || each.pattern.test(path));
  return [...new Set(members.map(({ method }) => method))];
}

function everyLetterEscaped(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** A route with doubled slashes, and capitals in its words. */
function asOddlySent(route: Specification['route']): Specification['route'] {
  return route.replaceAll(/\/([^/{]*)/g, (_, word: string) => `//${word.toUpperCase()}`) as Specification['route'];
}
