import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { answerRepeats } from '../../../lib/http/repeated-polls.ts';
import { identityTrustMs } from '../../../lib/identity/identity-memory.ts';
import { object, text } from '../../../lib/values/primitives.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { call } from './requests.ts';

let service: Service;
let authorization: string;
let content: { text: string; holds: () => boolean };
let answered: number;

const polled = endpoint({
  route: 'GET /api/client/things',
  group: 'Test',
  summary: 'Test.',
  audience: 'client',
  answerRepeats: answerRepeats('authorization', 'x-kind'),
  responses: { 200: object({ name: text }), 304: null },
}).handle(
  async () => {
    answered += 1;
    return content;
  },
  (json) => ({ headers: { etag: '"1"' }, json }),
);
const poll = (headers: Record<string, string> = {}, parts: object = {}, requestId = 'r-1') =>
  call(polled, { headers: { authorization, 'if-none-match': '"1"', ...headers }, ...parts }, { requestId });

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  service = await freshService();
  authorization = await new World(service).clientToken();
  content = { text: '{"name":"n"}', holds: () => true };
  answered = 0;
});
afterEach(() => void vi.useRealTimers());

describe('A poll that is sent again', () => {
  test('is answered with 304 as before, without the chain, and is logged', async () => {
    const first = await poll();
    expect(first.statusCode).toBe(304);
    const { log } = await linesWrittenBy(async () => {
      const second = await poll({}, {}, 'r-2');
      expect(second).toEqual({ ...first, headers: { ...first.headers, 'x-request-id': 'r-2' } });
    });
    expect(log).toMatchObject([{ route: 'GET /api/client/things', status: 304, storeRoundTrips: 0 }]);
    expect(answered).toBe(1);
  });

  test.each([undefined, null])('passes the chain where its event has %s for headers', async (headers) => {
    expect(await poll({}, { headers })).toMatchObject({ statusCode: 401 });
  });

  test('runs the chain if something differs that determines the answer', async () => {
    await poll();
    expect(await poll({ 'x-kind': 'other' })).toMatchObject({ statusCode: 304 });
    expect(await poll({}, { rawQueryString: 'a=b' })).toMatchObject({ statusCode: 304 });
    expect(await poll({ 'if-none-match': '"2"' })).toMatchObject({ statusCode: 200 });
    expect(await poll({ 'if-none-match': '"2"' })).toMatchObject({ statusCode: 200 });
    expect(answered).toBe(5);
    expect(await poll({ authorization: 'unknown' })).toMatchObject({ statusCode: 401 });
  });

  test('runs the chain as soon as its answer may have changed', async () => {
    let holds = true;
    content = { ...content, holds: () => holds };
    await poll();
    await poll();
    expect(answered).toBe(1);
    holds = false;
    await poll();
    await poll();
    expect(answered).toBe(3);
  });

  test('runs the chain when the token is no longer cached, so that a revoked one is refused', async () => {
    await poll();
    const { body } = await service.get('/api/admin/api-tokens');
    const [{ secret }] = body.tokens.filter(({ type }: { type: string }) => type === 'client');
    expect((await service.call('DELETE', `/api/admin/api-tokens/${secret}`)).status).toBe(200);
    vi.advanceTimersByTime(identityTrustMs);
    expect(await poll()).toMatchObject({ statusCode: 401 });
    expect(await poll()).toMatchObject({ statusCode: 401 });
  });

  test('is refused as soon as its token expires', async () => {
    const expiresAt = new Date(Date.now() + 1_000).toISOString();
    const wanted = { tokenName: 'short', type: 'client', environment: 'development', projects: ['*'], expiresAt };
    authorization = (await service.post('/api/admin/api-tokens', wanted)).body.secret;
    await poll();
    expect(await poll()).toMatchObject({ statusCode: 304 });
    vi.advanceTimersByTime(1_000);
    expect(await poll()).toMatchObject({ statusCode: 401 });
  });
});

test('An SDK that polls all the time gets a change at most 1.2 seconds after its answer', async () => {
  const world = new World(service);
  await world.feature();
  const get = (etag: string) =>
    service.get('/api/client/features', { token: authorization, headers: { 'if-none-match': etag } });
  const { etag = '' } = (await get('"none"')).headers;
  for (let count = 0; count < 3; count += 1) expect((await get(etag)).status).toBe(304);
  const added = await world.feature();
  vi.advanceTimersByTime(1_200);
  const { status, body } = await get(etag);
  expect(status).toBe(200);
  expect(body.features).toContainEqual(expect.objectContaining({ name: added.name }));
});
