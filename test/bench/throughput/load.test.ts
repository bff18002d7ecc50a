import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { get, post } from '../../harness/http-call.ts';
import { listening } from '../../harness/listening.ts';
import { load } from './load.ts';

const received: string[] = [];
let server: Awaited<ReturnType<typeof listening>>;
let address: { url: string; token: string };

beforeAll(async () => {
  server = await listening(async (request, response) => {
    received.push(await described(request));
    response.writeHead(request.url === '/refused' ? 503 : 200).end();
  });
  address = { url: server.url, token: 'user:bench' };
});

beforeEach(() => void received.splice(0));

afterAll(() => server[Symbol.asyncDispose]());

async function described(request: IncomingMessage): Promise<string> {
  const { method, url, headers } = request;
  return `${method} ${url} ${headers.authorization} ${headers['content-type'] ?? ''} ${await text(request)}`;
}

test('each call is made exactly once, over however many connections, with its own body and the token', async () => {
  const calls = Array.from({ length: 100 }, (_, index) => post(`/things/${index}`, { index }));
  const { latencies, failures } = await load(address, calls, 16);
  expect(latencies).toHaveLength(100);
  expect(failures.size).toBe(0);
  const expected = calls.map(({ path, body }) => `POST ${path} user:bench application/json ${body}`);
  expect(received.toSorted()).toEqual(expected.toSorted());
});

test('a call that is the same each time is made as often as it is asked for', async () => {
  const { latencies } = await load(address, Array(100).fill(get('/things')), 16);
  expect(latencies).toHaveLength(100);
  expect(received).toEqual(Array(100).fill('GET /things user:bench  '));
});

test('a call that failed is no success, and is shown with its status', async () => {
  const { latencies, failures } = await load(address, [get('/a'), get('/refused'), get('/refused')], 1);
  expect(latencies).toHaveLength(1);
  expect([...failures]).toEqual([['503', 2]]);
});

test('there are never more connections than calls', async () => {
  const { latencies, seconds } = await load(address, [get('/a')], 16);
  expect(latencies).toHaveLength(1);
  expect(seconds).toBeGreaterThan(0);
});
