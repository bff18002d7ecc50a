import { describe, expect, test, vi } from 'vitest';
import { call, endpointThat } from './requests.ts';

const thing = endpointThat(() => undefined);

/** Calls the function of `GET /things/{thing}` by another method, as API Gateway does where no other route takes it. */
async function ask(method: string) {
  const {
    statusCode,
    headers = {},
    body,
  } = await call(thing, {
    rawPath: '/things/lamp',
    requestContext: { http: { method, path: '/things/lamp' } } as never,
  });
  return { status: statusCode, headers, body };
}

describe('The function of a GET', () => {
  test.each(['POST', 'PATCH', 'TRACE', 'head'])(
    'refuses %s with a 405 that lists what its path takes',
    async (method) => {
      vi.stubEnv('ALLOW', 'GET, HEAD, PUT, OPTIONS');
      const { status, headers, body } = await ask(method);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'GET, HEAD, PUT, OPTIONS' });
      expect(JSON.parse(body ?? '')).toMatchObject({
        name: 'MethodNotAllowed',
        message: expect.stringContaining(method),
      });
    },
  );

  test('answers OPTIONS with the methods of its path, or only its own without ALLOW', async () => {
    expect(await ask('OPTIONS')).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS' }, body: '' });
  });
});
