import * as v from 'valibot';
import { expect, test, vi } from 'vitest';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { object } from '../../../lib/values/primitives.ts';
import { call } from './requests.ts';

const handler = endpoint({
  route: 'GET /address',
  group: 'Test',
  summary: 'Test.',
  audience: 'public',
  rights: 'none',
  responses: { 200: object({ address: v.string() }) },
}).handle(async ({ address }) => ({ address }));

test.each([
  ['', '1.1.1.1', '10.0.0.1', '10.0.0.1'],
  ['0', '1.1.1.1', '10.0.0.1', '10.0.0.1'],
  ['1', '1.1.1.1', '10.0.0.1', '1.1.1.1'],
  ['1', '9.9.9.9, 1.1.1.1', '10.0.0.1', '1.1.1.1'],
  ['1', '9.9.9.9,2001:db8::1', '10.0.0.1', '2001:db8::1'],
  // API Gateway adds the address that has called it.
  ['1', '9.9.9.9, 1.1.1.1, 10.0.0.1', '10.0.0.1', '1.1.1.1'],
  ['2', '9.9.9.9, 1.1.1.1, 10.0.0.2', '10.0.0.1', '1.1.1.1'],
  ['1', undefined, '10.0.0.1', '10.0.0.1'],
  ['2', '1.1.1.1', '10.0.0.1', '10.0.0.1'],
  ['1', 'unknown', '10.0.0.1', '10.0.0.1'],
])('Behind %s proxies, X-Forwarded-For: %s and a connection from %s, a caller is %s', async (...given) => {
  const [proxies, forwarded, sourceIp, address] = given;
  vi.stubEnv('TRUSTED_PROXIES', proxies);
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const { body = '' } = await call(handler, {
    headers,
    requestContext: { http: { method: 'GET', sourceIp } } as never,
  });
  expect(JSON.parse(body)).toEqual({ address });
});
