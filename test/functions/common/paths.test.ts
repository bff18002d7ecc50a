import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { tokenOf } from '../../harness/features.ts';
import type { Answer, Service } from '../../harness/service.ts';
import { expectCarriable, expectRefused, operations, preparedService, targetOf } from './operations.ts';

let service: Service;
let viewer: string;
beforeAll(async () => {
  service = await preparedService();
  viewer = await tokenOf(service, { username: 'viewer' });
});
afterEach(() => vi.unstubAllEnvs());

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe('a path that no operation has', () => {
  const below = [
    '/api/admin',
    '/api/admin/',
    '/api/admin/unknown',
    '/api/client/features',
    '/api/admin/environments/',
    '/api/admin/environments/development/unknown',
    '/api/admin//environments',
    '/api/Admin/environments',
    '/api/admin/addons/',
    '/api/admin/projects//features/checkout',
    '/api/admin/events',
    '/api/admin/events/a%2Fb',
    '/api/admin/ключ',
    `/api/admin/${'n'.repeat(8_000)}`,
  ];
  const beside = ['/health/', '/Health', '/unknown', '/API/admin/environments', '//', '/favicon.ico'];

  test('is 404 below /api for whoever has a valid token, with or without permissions', async () => {
    for (const path of below) {
      for (const token of [service.adminToken, `Bearer ${viewer}`]) {
        for (const method of methods) expectRefused(await service.call(method, path, { token }), 404, 'NotFoundError');
      }
    }
  });

  test('is 401 below /api without one, so that it tells nobody what is there', async () => {
    for (const path of below) {
      for (const token of [null, 'not-a-token']) {
        expectRefused(await service.get(path, { token }), 401, 'AuthenticationRequired');
      }
    }
  });

  test('is 404 elsewhere, with or without a token', async () => {
    for (const path of beside) {
      for (const token of [null, service.adminToken]) {
        for (const method of methods) expectRefused(await service.call(method, path, { token }), 404, 'NotFoundError');
      }
    }
  });

  test('is 400 with a bad percent escape, after the token', async () => {
    for (const path of ['/api/admin/%', '/api/admin/%zz', '/api/admin/%E0%A4%A', '/api/admin/%ff/x']) {
      expectRefused(await service.get(path), 400, 'ValidationError');
      expectRefused(await service.get(path, { token: null }), 401, 'AuthenticationRequired');
    }
  });

  test('is refused in text that any client can carry, whatever the text quotes', async () => {
    for (const name of ['%00', encodeURI(`x${'😀'.repeat(200)}`), encodeURI(`xy${'😀'.repeat(200)}`)]) {
      const answer = await service.get(`/api/admin/${name}`);
      expectRefused(answer, 404, 'NotFoundError');
      expectCarriable(answer);
    }
  });

  test('is 404 whatever its body is', async () => {
    for (const body of ['{', '[]', 'x'.repeat(102_401), Buffer.from([0xff])]) {
      expectRefused(await service.post('/api/admin/unknown', body), 404, 'NotFoundError');
    }
  });
});

describe.each(operations)('$operationId', ({ declaration, method, target, body }) => {
  const { path } = declaration;
  const call = (to: string) => service.call(method, to, { body });

  const known = operations.filter((other) => other.target === target).map((other) => other.method as string);
  const allow = [...known.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each])), 'OPTIONS'].toSorted();
  const allowedBy = ({ headers }: Answer) => headers.allow?.split(', ').toSorted();

  test('is 405 by a method that no operation has on its path, with those that one has', async () => {
    for (const other of methods.filter((each) => !known.includes(each))) {
      const answer = await service.call(other, target, { body });
      expectRefused(answer, 405, 'MethodNotAllowed');
      expect(allowedBy(answer)).toEqual(allow);
      if (path.startsWith('/api/')) {
        expectRefused(await service.call(other, target, { body, token: null }), 401, 'AuthenticationRequired');
      }
    }
  });

  test('says by OPTIONS which methods it takes, to everybody', async () => {
    const answer = await service.call('OPTIONS', target, { token: null });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(allowedBy(answer)).toEqual(allow);
  });

  if (method === 'GET')
    test('is answered by HEAD as it is by GET, without the body', async () => {
      for (const token of [service.adminToken, null]) {
        const [got, head] = [await service.get(target, { token }), await service.call('HEAD', target, { token })];
        expect(head).toMatchObject({ status: got.status, text: '' });
        const { 'x-request-id': _, ...headers } = got.headers;
        expect(head.headers).toMatchObject(headers);
        expect(Number(head.headers['content-length'])).toBeGreaterThan(0);
      }
    });

  test('is 404 with a slash at its end, or in capitals', async () => {
    for (const wrong of [`${target}/`, target.toUpperCase()].filter((each) => each !== target))
      expectRefused(await call(wrong), 404, 'NotFoundError');
  });

  test('is found whatever query follows it', async () => {
    for (const query of ['?', '?a=b&a=c', '?%zz', '?__proto__=1&constructor=2', `?q=${'n'.repeat(4_000)}`]) {
      expect((await call(target + query)).status, query).toBeOneOf([200, 201, 404, 409]);
    }
  });

  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

  if (names.length > 0)
    test('is 400 with a bad percent escape in any part of its path', async () => {
      for (const name of names) {
        for (const bad of ['%', '%z', '%zz', 'a%4', '%%41', '%ff', '%C3', '%E0%A4%A', '%ED%A0%80', '%C0%80']) {
          const answer = await call(targetOf(path, { [name]: bad }));
          expect(answer.status, `${name} = ${bad}: ${answer.text}`).toBe(400);
          expect(answer.body.name).toBe('ValidationError');
        }
      }
    });

  if (names.length > 0)
    test('decodes each part of its path once', async () => {
      const escaped = (name: string) =>
        [...(target.split('/')[path.split('/').indexOf(`{${name}}`)] as string)]
          .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
          .join('');
      const once = targetOf(path, Object.fromEntries(names.map((name) => [name, escaped(name)])));
      // An addon is deleted but once.
      const expected = method === 'DELETE' ? [200, 404] : [200, 201, 409];
      expect((await call(once)).status).toBeOneOf(expected);
      if (path.includes('/events/')) return;
      const twice = once.replaceAll('%', '%25');
      expect((await call(twice)).status).toBeOneOf([400, 404]);
    });

  if (names.length > 0)
    test('is refused, or finds nothing, where a part of its path is no name', async () => {
      const odd = ['.', '%20', '__proto__', 'constructor', '%F0%9F%98%80', '%23', 'a%23b', "'", 'n'.repeat(5_000)];
      for (const name of names) {
        for (const value of odd) {
          const answer = await call(targetOf(path, { [name]: value }));
          const isEmptyList = answer.status === 200 && answer.body?.totalEvents === 0;
          expect(isEmptyList ? 404 : answer.status, `${name} = ${value}: ${answer.text}`).toBeOneOf([400, 404]);
        }
      }
    });

  if (names.length > 0)
    test('is refused in text that any client can carry, whatever part of its path the text quotes', async () => {
      for (const name of names) {
        for (const value of ['%00', encodeURI(`x${'😀'.repeat(200)}`), encodeURI(`xy${'😀'.repeat(200)}`)]) {
          const answer = await call(targetOf(path, { [name]: value }));
          if (answer.status >= 400) expectCarriable(answer);
        }
      }
    });

  if (declaration.rights !== 'none')
    test('tells nothing about a crash but its id', async () => {
      vi.stubEnv('TABLE_NAME', 'no-such-table');
      const answer = await call(target);
      expectRefused(answer, 500, 'InternalError');
      expect(answer.text + JSON.stringify(answer.headers)).not.toMatch(/no-such-table|resource|dynamo|\.ts|\bat /i);
    });

  test('sends with every answer that it may not be kept or guessed at', async () => {
    for (const answer of [await call(target), await service.call(method, target, { body, token: null })]) {
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': expect.stringContaining('max-age='),
      });
    }
  });
});
