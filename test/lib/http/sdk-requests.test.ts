import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Endpoint, WrittenDeclaration } from '../../../lib/http/declaration.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { object, text } from '../../../lib/values/primitives.ts';
import { freshService } from '../../harness/service.ts';
import { World } from '../../harness/world.ts';
import { linesWrittenBy } from '../../harness/written-lines.ts';
import { call } from './requests.ts';

const base = { group: 'Test', summary: 'Test.', audience: 'client' } as const;

let authorization: string;
beforeAll(async () => {
  authorization = await new World(await freshService()).sdkToken('client');
});

describe('A body that may be compressed', () => {
  const limit = 200_000;
  const declared = {
    ...base,
    route: 'POST /api/client/things',
    rights: 'read',
    body: object({ name: text }),
    compressedBody: true,
    bodyBytesMin: limit,
    responses: { 200: object({ length: v.number() }) },
  } as const satisfies WrittenDeclaration;
  const measured = endpoint(declared).handle(async ({ body }) => ({ length: body.name.length }));
  const send = (body: Buffer, encoding?: string) =>
    call(measured, {
      headers: {
        authorization,
        'content-type': 'application/json',
        ...(encoding !== undefined && { 'content-encoding': encoding }),
      },
      body: body.toString('base64'),
      isBase64Encoded: true,
    });
  const json = (length: number) => Buffer.from(JSON.stringify({ name: 'n'.repeat(length) }));

  test('is accepted with or without compression, up to the limit of its operation', async () => {
    const longest = limit - json(0).length;
    for (const length of [5, longest]) {
      const body = JSON.stringify({ length });
      expect(await send(json(length))).toMatchObject({ statusCode: 200, body });
      expect(await send(gzipSync(json(length)), 'gzip')).toMatchObject({ statusCode: 200, body });
    }
    expect(await send(json(longest + 1))).toMatchObject({ statusCode: 413 });
    expect(await send(gzipSync(json(longest + 1)), 'gzip')).toMatchObject({ statusCode: 413 });
  });

  test('is refused if it is not valid gzip, or compressed in another way', async () => {
    expect(await send(json(5), 'gzip')).toMatchObject({ statusCode: 400 });
    expect(await send(json(5), 'br')).toMatchObject({ statusCode: 415 });
  });

  test('does not fill the memory, however large it is uncompressed', async () => {
    const packed = gzipSync(Buffer.alloc(16 * 1024 * 1024, 0x20), { level: 9 });
    expect(packed.length).toBeLessThan(limit);
    expect(await send(packed, 'gzip')).toMatchObject({ statusCode: 413 });
  });
});

test('JSON that requests share while it holds is compressed once', async () => {
  const ready = { text: JSON.stringify({ name: 'n'.repeat(20_000) }), holds: () => true };
  const answering = endpoint({
    ...base,
    route: 'GET /api/client/things',
    responses: { 200: object({ name: text }), 304: null },
  }).handle(
    async () => 'ignored',
    () => ({ headers: { etag: '"1"' }, json: ready }),
  );
  const get = (headers: object) => call(answering, { headers: { authorization, ...headers } });
  expect(await get({})).toMatchObject({ body: ready.text, isBase64Encoded: false });
  const first = await get({ 'accept-encoding': 'gzip' });
  expect(gunzipSync(Buffer.from(first.body ?? '', 'base64')).toString()).toBe(ready.text);
  // Only who compressed again would notice.
  ready.text = ready.text.toUpperCase();
  expect(await get({ 'accept-encoding': 'gzip' })).toMatchObject({ body: first.body, isBase64Encoded: true });
  expect(await get({ 'if-none-match': '"1"', 'accept-encoding': 'gzip' })).toMatchObject({ statusCode: 304, body: '' });
});

test('A repeatable parameter is a list, with and without brackets, and its values may have commas', async () => {
  const query = object({ tag: v.exactOptional(v.array(text)), name: v.exactOptional(text) });
  const answering = endpoint({
    ...base,
    route: 'GET /api/client/things',
    query,
    repeated: ['tag'],
    responses: { 200: query },
  }).handle(async (request) => request.query);
  const get = async (rawQueryString: string) => {
    const queryStringParameters = Object.fromEntries(new URLSearchParams(rawQueryString));
    const { body = '' } = await call(answering, { headers: { authorization }, rawQueryString, queryStringParameters });
    return JSON.parse(body);
  };
  expect(await get('tag=a,b&tag=c&name=x')).toEqual({ tag: ['a,b', 'c'], name: 'x' });
  expect(await get('tag%5B%5D=a&tag=b')).toEqual({ tag: ['b', 'a'] });
  expect(await get('name=x')).toEqual({ name: 'x' });
});

describe('The log', () => {
  const answering = (answer: () => Promise<void>): Endpoint =>
    endpoint({ ...base, route: 'GET /api/client/things', responses: { 200: null } }).handle(answer);
  const good = answering(async () => {});
  const bad = answering(async () => {
    throw new Error('broken');
  });
  const warned = endpoint({ ...base, route: 'GET /api/client/things', responses: { 200: null } }).handle(
    async ({ request }) => void request.warnings.add('Not all is well.'),
  );
  const callTimes = async (handler: Endpoint, times: number) => {
    for (let count = 0; count < times; count += 1) await call(handler, { headers: { authorization } });
  };

  test('has a line for every SDK call with an error or a warning, and for one in a thousand of the others', async () => {
    vi.stubEnv('LOG_LEVEL', 'INFO');
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.001);
    expect((await linesWrittenBy(() => callTimes(good, 5))).log).toEqual([]);
    expect((await linesWrittenBy(() => callTimes(bad, 2))).log).toHaveLength(2);
    expect((await linesWrittenBy(() => callTimes(warned, 2))).log).toMatchObject(
      Array(2).fill({ level: 'WARN', warning: 'Not all is well.' }),
    );
    random.mockReturnValue(0.0009);
    expect((await linesWrittenBy(() => callTimes(good, 1))).log).toHaveLength(1);
    vi.stubEnv('LOG_LEVEL', 'DEBUG');
    random.mockReturnValue(0.5);
    expect((await linesWrittenBy(() => callTimes(good, 3))).log).toHaveLength(3);
  });

  test('has the metrics of a hundred such calls in one line, and counts each of them', async () => {
    vi.stubEnv('LOG_LEVEL', 'INFO');
    const { metrics } = await linesWrittenBy(() => callTimes(good, 300));
    expect(metrics.length).toBeOneOf([2, 3]);
    for (const { latencyMs, errors } of metrics as { latencyMs: number[]; errors: number[] }[]) {
      expect(latencyMs).toHaveLength(100);
      expect(errors).toEqual(latencyMs.map(() => 0));
    }
  });
});
