import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Poll } from '../../../../lib/http/declaration.ts';
import type { AnsweredRequest } from '../../../../lib/http/local/local-server.ts';
import { connected, functionAt, mirror, serveLocally } from './serving.ts';

type Headers = Readonly<Record<string, string>> | undefined;

/** Serves `/things`, which mirrors what is not found to repeat a poll, and adds one to `made` for each POST. */
async function servePolls(answer: (poll: Poll, made: number) => Headers, andThen: () => void = () => {}) {
  let made = 0;
  const answered: AnsweredRequest[] = [];
  const served = await serveLocally(
    {
      get: Object.assign(functionAt('GET', '/things', mirror), {
        answersAgain: (poll: Poll) => () => answer(poll, made),
      }),
      post: functionAt('POST', '/things', async ({ body = '' }) => {
        await sleep(1);
        made += 1;
        return { statusCode: 201, headers: { 'x-seen': JSON.stringify(body) } };
      }),
    },
    {
      onAnswered(each) {
        answered.push(each);
        andThen();
      },
    },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  /** Asks on one connection. */
  const poll = (tag: string, path = '/things') => served.ask(path, { agent, headers: { 'If-None-Match': tag } });
  return { ...served, poll, answered };
}

/** Counts the requests that Node makes of what arrives, until the test ends. */
function countRequests(): { count: number } {
  const counter = { count: 0 };
  const add = () => {
    counter.count += 1;
  };
  subscribe('http.server.request.start', add);
  onTestFinished(() => void unsubscribe('http.server.request.start', add));
  return counter;
}

afterEach(() => void vi.useRealTimers());

test('A GET that repeats a poll is answered without an event', async () => {
  const { ask } = await servePolls(({ rawQueryString, headers: { 'if-none-match': tags } }) =>
    tags === undefined ? undefined : { 'x-seen': `${rawQueryString} ${tags}` },
  );
  const poll = { headers: { 'If-None-Match': ['"1"', '"2"'] } };
  const { status, headers } = await ask('/things?a=1', poll);
  expect({ status, seen: headers['x-seen'] }).toEqual({ status: 304, seen: 'a=1 "1", "2"' });
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect((await ask('/things?a=1')).status).toBe(200);
  expect((await ask('/things?a=1', { ...poll, method: 'HEAD' })).status).toBe(200);
});

test('Polls of one connection are answered by the words of each, and by the function once none is known', async () => {
  const known = new Set(['"1"', '"2"']);
  const { poll } = await servePolls(({ headers: { 'if-none-match': tag } }) =>
    known.has(String(tag)) ? { 'x-seen': String(tag) } : undefined,
  );
  const tags = ['"1"', '"1"', '"1"', '"2"', '"1"', '"1"'];
  const replies = [];
  for (const tag of tags) replies.push(await poll(tag));
  expect(replies.map(({ headers }) => headers['x-seen'])).toEqual(tags);
  expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(tags.length);
  expect(JSON.parse((await poll('"1"', '/others')).body)).toMatchObject({ rawPath: '/others' });
  await poll('"1"');
  known.clear();
  expect(await poll('"1"')).toMatchObject({ status: 200, body: expect.stringContaining('/things') });
});

test('From the second repetition on, a poll has the same answer without a request of Node, and is reported', async () => {
  const requests = countRequests();
  const sent = { etag: '"1"' };
  const { poll, answered, close } = await servePolls(() => sent);
  const first = await poll('"1"');
  const seen = [first, await poll('"1"'), await poll('"1"'), await poll('"1"')];
  expect(requests.count).toBe(2);
  const { 'x-request-id': _id, date: _date, ...headers } = first.headers;
  expect(headers).toEqual({ ...sent, connection: 'keep-alive', 'keep-alive': 'timeout=65' });
  for (const each of seen) {
    expect(each).toMatchObject({ status: 304, headers, body: '' });
    expect(Object.keys(each.headers)).toEqual(Object.keys(first.headers));
  }
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const date of ['Tue, 01 Jan 2030 00:00:00 GMT', 'Tue, 01 Jan 2030 00:00:01 GMT']) {
    vi.setSystemTime(date);
    expect((await poll('"1"')).headers.date).toBe(date);
  }
  const report = { method: 'GET', target: '/things', status: 304, milliseconds: expect.any(Number) };
  expect(answered).toEqual(Array(6).fill(report));
  // The client keeps the connection, which does not keep the server.
  const closing = Promise.race([close().then(() => 'closed'), sleep(5_000, 'still open')]);
  expect(await closing).toBe('closed');
});

test('Polls that repeat the last one of their connection are all answered, each after what was sent before it', async () => {
  const { port } = await servePolls((_poll, made) => ({ 'x-made': `${made}` }));
  const poll = 'GET /things HTTP/1.1\r\nHost: a\r\n\r\n';
  const socket = connected(port, poll);
  await once(socket, 'data');
  socket.write(`${poll.repeat(500)}POST /things HTTP/1.1\r\n\r\n${poll.repeat(50)}`);
  socket.write('GET /last HTTP/1.1\r\nConnection: close\r\n\r\n');
  const answers = (await text(socket)).split('HTTP/1.1 ').slice(1);
  const seen = answers.map((answer) => [Number.parseInt(answer, 10), /x-made: (\d)/.exec(answer)?.[1]]);
  const polls = (count: number, made: string) => Array(count).fill([304, made]);
  expect(seen).toEqual([...polls(500, '0'), [201, undefined], ...polls(50, '1'), [200, undefined]]);
});

test('The answers on a connection do not depend on the pieces in which requests arrive, even if some of them are the bytes of a poll', async () => {
  const requests = countRequests();
  const poll = 'GET /things HTTP/1.1\r\nHost: a\r\n\r\n';
  const post = 'POST /things HTTP/1.1\r\nContent-Type: text/plain\r\n';
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
  const kinds: readonly [answer: string, ...pieces: string[]][] = [
    ['304', poll],
    ['304', '\r\n', poll],
    ['304', 'GET /things HTTP/1.1\r\n', 'Host: a\r\n\r\n'],
    ['304 GET /things HTTP/1.1', 'GET /things HTTP/1.1\r\nX-Of: ', poll],
    [`201 ${JSON.stringify(poll)}`, `${post}Content-Length: ${poll.length}\r\n\r\n`, poll],
    [`201 ${JSON.stringify(poll)}`, `${post}${chunked}${poll.length.toString(16)}\r\n`, poll, '\r\n0\r\n\r\n'],
    ['200', 'GET /others HTTP/1.1\r\n\r\n'],
  ];
  const last: (typeof kinds)[number] = ['200', 'GET /last HTTP/1.1\r\nConnection: close\r\n\r\n'];
  const polls = { arbitrary: fc.constantFrom(...kinds.slice(0, 1)), weight: 5 };
  const messages = fc.array(fc.oneof(polls, fc.constantFrom(...kinds)), { maxLength: 12 });
  const { port } = await servePolls(({ headers: { 'x-of': of } }) =>
    of === undefined ? {} : { 'x-seen': String(of) },
  );
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(messages, async (some) => {
      const all = [...some, last];
      sent += all.length;
      const socket = createConnection(port, '127.0.0.1').setNoDelay();
      const answers = text(socket);
      for (const piece of all.flatMap(([, ...pieces]) => pieces)) {
        socket.write(piece);
        // The server, which is in this process, reads it before the next one is written.
        await turn();
        await turn();
      }
      const seen = (await answers).split('HTTP/1.1 ').slice(1);
      const shown = seen.map((each) => `${each.slice(0, 3)} ${/x-seen: (.*)\r/.exec(each)?.[1] ?? ''}`.trim());
      expect(shown).toEqual(all.map(([answer]) => answer));
    }),
  );
  expect(requests.count).toBeLessThan(sent * 0.9);
});

test('A client that sends polls and reads no answer has few of them answered', async () => {
  const { port, answered } = await servePolls(() => ({ 'x-seen': 'x'.repeat(50_000) }));
  const socket = createConnection(port, '127.0.0.1').setNoDelay().pause();
  onTestFinished(() => void socket.destroy());
  for (let sent = 0; sent < 1_000; sent += 1) {
    socket.write('GET /things HTTP/1.1\r\n\r\n');
    await turn();
    await turn();
  }
  expect(answered.length).toBeGreaterThan(2);
  expect(answered.length).toBeLessThan(500);
});

test('Polls that wait until their client reads again are answered in their order', async () => {
  const { port } = await servePolls(({ headers: { 'x-of': of } }) => ({
    'x-pad': 'x'.repeat(10_000),
    'x-seen': `${of}`,
  }));
  const poll = (of: string) => `GET /things HTTP/1.1\r\nX-Of: ${of}\r\n\r\n`;
  const socket = connected(port, poll('a')).setNoDelay();
  await once(socket, 'data');
  socket.pause().write(poll('a').repeat(1_500));
  for (let sent = 0; sent < 20; sent += 1) {
    await turn();
    await turn();
    socket.write(poll('b'));
  }
  socket.write('GET /last HTTP/1.1\r\nConnection: close\r\n\r\n');
  const seen = [...(await text(socket)).matchAll(/x-seen: (.*)\r/g)].map(([, of]) => of);
  expect(seen.join('')).toBe('a'.repeat(1_500) + 'b'.repeat(20));
});

test('The bytes of a poll within a head that began before the client read again are part of that head', async () => {
  const requests = countRequests();
  const { port } = await servePolls(({ headers: { 'x-of': of } }) => ({
    'x-pad': 'x'.repeat(10_000),
    'x-seen': `${of}`,
  }));
  const poll = 'GET /things HTTP/1.1\r\nHost: a\r\n\r\n';
  const socket = connected(port, poll).setNoDelay();
  await once(socket, 'data');
  socket.pause();
  const send = async (piece: string) => {
    socket.write(piece);
    await turn();
    await turn();
  };
  for (const before of [1, 2]) while (requests.count === before) await send(poll);
  await send('GET /things HTTP/1.1\r\nX-Of: ');
  const answers = text(socket);
  await sleep(100);
  await send(poll);
  await send('GET /last HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect((await answers).match(/x-seen: (?!undefined).*/g)).toEqual(['x-seen: GET /things HTTP/1.1']);
});

test('The bytes of a poll are the body of a request whose length stands behind the headers that Node keeps', async () => {
  const { port } = await servePolls(() => ({}));
  const poll = `GET /things HTTP/1.1\r\n${'A: 1\r\n'.repeat(1_000)}\r\n`;
  const head = poll.replace(/\r\n$/, `Content-Length: ${poll.length}\r\nX-Of: `);
  const socket = createConnection(port, '127.0.0.1').setNoDelay();
  const answers = text(socket);
  for (const piece of [poll, poll, head, poll, poll, 'GET /last HTTP/1.1\r\nConnection: close\r\n\r\n']) {
    socket.write(piece);
    await sleep(20);
  }
  const statuses = [...(await answers).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  // Node 24.21 refuses a request with more headers than it keeps.
  expect(statuses).toEqual(['304', '304', ...(statuses[2] === '413' ? ['413'] : ['304', '200'])]);
});

test('Each request is answered once, even where its report fails', async () => {
  const { poll, port } = await servePolls(
    () => ({}),
    () => {
      throw new Error('It cannot be written.');
    },
  );
  for (const _ of [1, 2, 3]) expect((await poll('"1"')).status).toBe(304);
  const socket = connected(port, 'GET /things HTTP/1.1\r\n\r\n');
  const answers = text(socket);
  for (const piece of [
    ...Array(3).fill('GET /things HTTP/1.1\r\n\r\n'),
    'GET /last HTTP/1.1\r\nConnection: close\r\n\r\n',
  ]) {
    await sleep(20);
    socket.write(piece);
  }
  expect((await answers).match(/HTTP\/1\.1 (\d+)/g)).toHaveLength(5);
});

test('A poll that is still arriving when the server closes ends its connection', async () => {
  const { port, close } = await servePolls(() => ({}));
  const socket = connected(port, 'GET /things HTTP/1.1\r\n\r\nGET /things ');
  await once(socket, 'data');
  const closing = close();
  socket.write('HTTP/1.1\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 304 .*\r\nConnection: close\r\n/s);
  await closing;
});

test('A poll whose repetition fails is 500, and the next request is served', async () => {
  let fails = false;
  const { poll } = await servePolls(() => {
    if (fails) throw new Error('It is broken.');
    return {};
  });
  for (const failing of [false, false, true, true]) {
    fails = failing;
    expect((await poll('"1"')).status).toBe(failing ? 500 : 304);
  }
  expect((await poll('"1"', '/others')).status).toBe(200);
});
