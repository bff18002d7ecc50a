import { beforeAll, describe, test } from 'vitest';
import { newTokenOf } from '../../harness/features.ts';
import { expectCarriable, expectRefused } from '../../specifications/expect.ts';
import { sharedService } from '../../specifications/specify.ts';

const service = sharedService();
let viewer: string;
beforeAll(async () => {
  viewer = await newTokenOf(service, { username: 'viewer' });
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe('a path that no operation has', () => {
  const below = [
    '/api/admin',
    '/api/admin/',
    '/api/admin/unknown',
    '/api/admin/environments/development/unknown',
    '/api//Admin/unknown/',
    '/api/admin/projects//overview/any',
    '/api/admin/event',
    '/api/admin/events/a/b',
    '/api/admin/ключ',
    `/api/admin/${'n'.repeat(8_000)}`,
  ];
  const beside = ['/unknown', '/Unknown/', '/favicon.ico'];

  test('is 404 below /api for every valid token, with or without permissions', async () => {
    for (const path of below) {
      for (const token of [service.adminToken, `Bearer ${viewer}`]) {
        for (const method of methods) expectRefused(await service.call(method, path, { token }), 404, 'NotFoundError');
      }
    }
  });

  test('is 401 below /api without one, so that it does not reveal which paths exist', async () => {
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

  test('is 400 with an invalid percent escape, after the token was checked', async () => {
    for (const path of ['/api/admin/%', '/api/admin/%zz', '/api/admin/%E0%A4%A', '/api/admin/%ff/x']) {
      expectRefused(await service.get(path), 400, 'ValidationError');
      expectRefused(await service.get(path, { token: null }), 401, 'AuthenticationRequired');
    }
  });

  test('is refused with a message that is valid Unicode, whatever it quotes', async () => {
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

describe('An operation', () => {
  test.each(['%', '%zz', 'a%4', '%ff', '%C3', '%E0%A4%A', '%ED%A0%80', '%C0%80'])(
    'is refused with 400 where a part of its path is no text: %s',
    async (part) => {
      for (const [method, path] of [
        ['GET', `/api/admin/events/${part}`],
        ['PUT', `/api/admin/projects/${part}/features/any`],
        ['PUT', `/api/admin/projects/default/features/${part}`],
      ] as const) {
        expectRefused(await service.call(method, path, { body: {} }), 400, 'ValidationError');
      }
    },
  );

  test('does not reveal the methods of its path without a token', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      const answer = await service.call(method, '/api/admin/environments', { token: null });
      expectRefused(answer, 401, 'AuthenticationRequired');
    }
  });
});
