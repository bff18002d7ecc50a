import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Context } from 'aws-lambda';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { callerAddress } from '../../../../lib/http/caller-address.ts';
import { serveHere } from '../../../harness/served.ts';
import { freshService } from '../../../harness/service.ts';
import { connected, functionAt, mirror, mirrors, serveLocally, serveOne } from './serving.ts';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

describe('the event of a request', () => {
  test('has the documented form', async () => {
    const { eventOf, port } = await serveLocally(mirrors);
    const event = await eventOf('/things/a?x=1&y=2&x=3', { headers: { 'User-Agent': 'Tester/1' } });
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'GET /things/{thing}',
      rawPath: '/things/a',
      rawQueryString: 'x=1&y=2&x=3',
      headers: {
        'user-agent': 'Tester/1',
        host: `127.0.0.1:${port}`,
        connection: 'close',
        'x-forwarded-for': '127.0.0.1',
      },
      queryStringParameters: { x: '1,3', y: '2' },
      pathParameters: { thing: 'a' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: '',
        domainPrefix: '',
        http: { method: 'GET', path: '/things/a', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'Tester/1' },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        routeKey: 'GET /things/{thing}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
  });

  test('tells the caller behind two proxies of this machine, whatever the caller says of itself', async () => {
    vi.stubEnv('TRUSTED_PROXIES', '2');
    const { eventOf } = await serveLocally(mirrors);
    const event = await eventOf('/things/a', { headers: { 'X-Forwarded-For': '9.9.9.9, 1.1.1.1, 127.0.0.1' } });
    expect(event.headers['x-forwarded-for']).toBe('9.9.9.9, 1.1.1.1, 127.0.0.1,127.0.0.1');
    expect(callerAddress(event)).toBe('1.1.1.1');
  });

  test('joins repeated headers by commas and keeps cookies apart', async () => {
    const { eventOf } = await serveLocally(mirrors);
    const { headers, cookies } = await eventOf('/things/a', {
      headers: { 'X-Many': ['1', '2'], Authorization: ['one', 'two'], Cookie: ['a=1; b=2', 'c=3'] },
    });
    expect(headers).toMatchObject({ 'x-many': '1,2', authorization: 'one,two' });
    expect(headers).not.toHaveProperty('cookie');
    expect(cookies).toEqual(['a=1', 'b=2', 'c=3']);
  });

  test.each([
    ['a%20b', 'a b'],
    ['%E2%82%AC', '€'],
    ['a%2541', 'a%41'],
    ['a+b;c', 'a+b;c'],
    ['a%23b%3Fc', 'a#b?c'],
    ['__proto__', '__proto__'],
    ['x'.repeat(3_000), 'x'.repeat(3_000)],
  ])('decodes a path parameter exactly once: %.20s', async (sent, received) => {
    const { eventOf } = await serveLocally(mirrors);
    expect((await eventOf(`/things/${sent}`)).pathParameters).toEqual({ thing: received });
  });

  test.each(['%zz', 'a%2', '%ff', 'a%20%'])('leaves a parameter with a bad escape as it is: %s', async (sent) => {
    const { eventOf } = await serveLocally(mirrors);
    expect((await eventOf(`/things/${sent}`)).pathParameters).toEqual({ thing: sent });
  });

  test.each([
    ['application/json', '{"a":"é"}'],
    ['application/json; charset=utf-8', '{}'],
    ['application/problem+json', '{}'],
    ['text/plain', 'a'],
    ['application/xml', '<a/>'],
  ])('carries %s as text', async (type, sent) => {
    const { eventOf } = await serveLocally(mirrors);
    const event = await eventOf('/things/a/parts/b', { method: 'POST', headers: { 'content-type': type } }, sent);
    expect(event).toMatchObject({ body: sent, isBase64Encoded: false });
  });

  test.each([
    ['another type', { 'content-type': 'application/octet-stream' }, Buffer.from('{}')],
    ['a type that only begins like text', { 'content-type': 'application/jsonp' }, Buffer.from('{}')],
    ['no type', {}, Buffer.from('{}')],
    ['an encoded body', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, Buffer.from('{}')],
    ['text that is no UTF-8', { 'content-type': 'application/json' }, Buffer.from([0x22, 0xff, 0x22])],
  ])('carries %s in base64', async (_case, headers, sent) => {
    const { eventOf } = await serveLocally(mirrors);
    const event = await eventOf('/things/a/parts/b', { method: 'POST', headers }, sent);
    expect(event).toMatchObject({ body: sent.toString('base64'), isBase64Encoded: true });
  });

  test.each([{}, { 'content-length': '0' }, { 'transfer-encoding': 'chunked' }])(
    'has no body when none was sent: %o',
    async (headers) => {
      const { eventOf } = await serveLocally(mirrors);
      const event = await eventOf('/things/a/parts/b', { method: 'POST', headers });
      expect(event).not.toHaveProperty('body');
      expect(event.isBase64Encoded).toBe(false);
    },
  );

  test('carries a body that comes in chunks', async () => {
    const { eventOf } = await serveLocally(mirrors);
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    expect((await eventOf('/things/a/parts/b', { method: 'POST', headers }, '{"a":1}')).body).toBe('{"a":1}');
  });

  test('comes with a context that names the request and the time left', async () => {
    const contexts: Context[] = [];
    const { ask } = await serveOne(async (_event, context) => {
      contexts.push(context);
      return {};
    });
    await ask('/');
    await ask('/');
    const [first, second] = contexts;
    expect(first?.awsRequestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second?.awsRequestId).not.toBe(first?.awsRequestId);
    expect(first?.getRemainingTimeInMillis()).toBeGreaterThan(20_000);
  });
});

describe('the function of a request', () => {
  test.each([
    ['GET', '/things/Default', 'GET /things/default'],
    ['GET', '/things/a%2Fb', 'GET /things/{thing}'],
    ['GET', '/things/a/b', '$default'],
    ['OPTIONS', '/things/a', '$default'],
    ['POST', '/things/a/parts/b', 'POST /things/{thing}/parts/{part}'],
    ['GET', 'http://elsewhere.test/things/a', 'GET /things/{thing}'],
  ])('is found by method and path: %s %s', async (method, path, routeKey) => {
    const { eventOf } = await serveLocally(mirrors);
    expect(await eventOf(path, { method })).toMatchObject({ routeKey });
  });

  test('is that of GET for a HEAD', async () => {
    const asked: string[] = [];
    const { ask } = await serveLocally({
      get: functionAt('GET', '/things', async ({ routeKey }) => {
        asked.push(routeKey);
        return {};
      }),
    });
    await ask('/things', { method: 'HEAD' });
    expect(asked).toEqual(['GET /things']);
  });
});

describe('an answer', () => {
  test('is written with its status, headers and cookies', async () => {
    const { ask } = await serveOne(async () => ({
      statusCode: 201,
      headers: { 'X-Text': 'a', 'X-Number': 5 },
      cookies: ['a=1', 'b=2; Path=/'],
      body: '€',
    }));
    const { status, headers, body } = await ask('/');
    expect({ status, body }).toEqual({ status: 201, body: '€' });
    expect(headers).toMatchObject({ 'x-text': 'a', 'x-number': '5', 'content-length': '3' });
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2; Path=/']);
  });

  test('in base64 is decoded', async () => {
    const { ask } = await serveOne(async () => ({
      statusCode: 200,
      body: Buffer.from('plain').toString('base64'),
      isBase64Encoded: true,
    }));
    expect((await ask('/')).body).toBe('plain');
  });

  test('without a body is empty', async () => {
    const { ask } = await serveOne(async () => ({ statusCode: 200, body: '' }));
    const { body, headers } = await ask('/');
    expect({ body, length: headers['content-length'] }).toEqual({ body: '', length: '0' });
  });

  test.each([204, 304])('with the status %i, which has no body, says no length', async (statusCode) => {
    const { ask } = await serveOne(async () => ({ statusCode, headers: { etag: '"1"' } }));
    const { status, headers } = await ask('/');
    expect({ status, length: headers['content-length'], etag: headers.etag }).toEqual({
      status: statusCode,
      length: undefined,
      etag: '"1"',
    });
  });

  test('is 500 in the shape of every error when a function crashes, and says nothing of the crash', async () => {
    const { ask } = await serveOne(async () => {
      throw new Error('the secret reason');
    });
    const { status, body } = await ask('/');
    expect(status).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ id: expect.any(String), name: 'InternalError' });
    expect(body).not.toContain('secret');
  });
});

test('a header that cannot be sent is 500, and the next request is served', async () => {
  const { ask } = await serveOne(async () => ({ statusCode: 200, headers: { 'x-broken': 'a\nb' }, body: 'a' }));
  expect((await ask('/')).status).toBe(500);
  expect((await ask('/')).status).toBe(500);
});

test('a request whose report fails is answered all the same, and so is the next one', async () => {
  const { ask } = await serveLocally(mirrors, {
    onAnswered() {
      throw new Error('It cannot be written.');
    },
  });
  for (const path of ['/things/a', '/things/b']) expect((await ask(path)).status).toBe(200);
});

describe('a body of more bytes than any function accepts', () => {
  const limit = 102_400;
  const target = '/things/a/parts/b';

  test.each([
    ['announced', { 'content-length': '5000000' }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('is read until that shows and no further, for the function to refuse: %s', async (_case, headers) => {
    const { ask } = await serveLocally(mirrors);
    const answer = await ask(target, { method: 'POST', headers }, Buffer.alloc(5_000_000, ' '));
    expect(answer.headers.connection).toBe('close');
    const { body, isBase64Encoded } = JSON.parse(answer.body);
    expect(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')).toHaveLength(limit + 1);
  });

  test('is answered while the client is still sending', async () => {
    const { ask, port } = await serveLocally(mirrors);
    expect(
      await text(
        connected(
          port,
          `POST ${target} HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n${' '.repeat(limit + 1)}`,
        ),
      ),
    ).toMatch(/^HTTP\/1\.1 200 /);
    expect((await ask('/things/a')).status).toBe(200);
  });

  test('has the limit of the operation that accepts most', async () => {
    vi.stubEnv('IMPORT_BODY_LIMIT_BYTES', '200000');
    const accepting = functionAt('POST', '/imports', mirror);
    Object.assign(accepting.declaration, { bodyLimitVariable: 'IMPORT_BODY_LIMIT_BYTES' });
    const { eventOf } = await serveLocally({ accepting });
    const { body = '' } = await eventOf(
      '/imports',
      { method: 'POST', headers: { 'content-type': 'text/plain' } },
      ' '.repeat(300_000),
    );
    expect(body).toHaveLength(200_001);
  });
});

describe('a body above 10 MB', () => {
  const tooMuch = Buffer.alloc(11 * 1024 * 1024, ' ');

  test('is 413 in the shape of every error and ends the connection', async () => {
    const { ask } = await serveLocally(mirrors);
    const headers = { 'content-length': String(tooMuch.length) };
    const answer = await ask('/things/a/parts/b', { method: 'POST', headers }, tooMuch);
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse(answer.body)).toEqual({
      id: answer.headers['x-request-id'],
      name: 'ContentTooLarge',
      message: expect.any(String),
      details: [{ message: expect.any(String) }],
    });
  });

  test('is answered while the client is still sending', async () => {
    const { ask, port } = await serveLocally(mirrors);
    expect(
      await text(
        connected(port, `POST /things/a/parts/b HTTP/1.1\r\nHost: h\r\nContent-Length: ${tooMuch.length}\r\n\r\nbegun`),
      ),
    ).toMatch(/^HTTP\/1\.1 413 /);
    expect((await ask('/things/a')).status).toBe(200);
  });
});

describe('a connection', () => {
  test('that breaks off in the middle of a body disturbs nobody', async () => {
    const { ask, port } = await serveLocally(mirrors);
    const socket = connected(port, 'POST /things/a/parts/b HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nbegun');
    await sleep(20);
    socket.destroy();
    expect((await ask('/things/a')).status).toBe(200);
  });

  test('that does not name a host is served', async () => {
    const { port } = await serveLocally(mirrors);
    expect(await text(connected(port, 'GET /things/a HTTP/1.1\r\nConnection: close\r\n\r\n'))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  test('that names two hosts is refused', async () => {
    const { port } = await serveLocally(mirrors);
    expect(
      await text(connected(port, 'GET /things/a HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('that does not speak HTTP is answered 400', async () => {
    const { port } = await serveLocally(mirrors);
    expect(await text(connected(port, 'what is this\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('that does not arrive in time is answered 408', async () => {
    const started = Promise.withResolvers<{ readonly server: Server; readonly socket: Socket }>();
    subscribe('http.server.request.start', (message) => started.resolve(message as never));
    const { port } = await serveLocally(mirrors);
    const client = connected(port, 'GET /things/1 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const { server, socket } = await started.promise;
    await once(client, 'data');
    client.write('GET /things/1 HTTP/1.1\r\n');
    // As Node does it after a minute.
    server.emit('clientError', Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    expect(await text(client)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n.*"name":"RequestTimeout"/s);
  });

  test('that is idle keeps nothing of the requests that it brought, anonymous ones among them', async () => {
    await freshService();
    await using served = await serveHere();
    const kept: WeakRef<object>[] = [];
    const note = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      kept.push(new WeakRef(request), new WeakRef(request.rawHeaders));
    };
    subscribe('http.server.request.start', note);
    onTestFinished(() => void unsubscribe('http.server.request.start', note));
    const connection = createConnection(served.port, '127.0.0.1');
    onTestFinished(() => void connection.destroy());
    const head = `Host: localhost\r\nX-Large: ${'x'.repeat(50_000)}\r\n`;
    for (const request of [
      `GET /api/client/features HTTP/1.1\r\n${head}If-None-Match: "1"\r\n\r\n`,
      `GET /api/frontend HTTP/1.1\r\n${head}\r\n`,
      `POST /api/client/metrics HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    ]) {
      connection.write(request);
      expect(String(await once(connection, 'data'))).toMatch(/^HTTP\/1\.1 401 /);
    }
    expect(kept).toHaveLength(6);
    await vi.waitFor(() => {
      collectGarbage();
      expect(kept.filter((each) => each.deref() !== undefined)).toEqual([]);
    }, 10_000);
    expect(connection.readyState).toBe('open');
  });

  test('that does not speak HTTP is closed after its answer, though its client holds its end open', async () => {
    const { port, close } = await serveLocally(mirrors);
    const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => void socket.destroy());
    socket.write('what is this\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    // It ends with the last connection, or when its patience does, after 10 s.
    const closing = Promise.race([close().then(() => 'closed'), sleep(5_000, 'still open')]);
    expect(await closing).toBe('closed');
  });
});

test('requests that do not wait for answers are served one after the other, and too many of them end the connection', async () => {
  let [underWay, most] = [0, 0];
  const { port } = await serveLocally({
    getThing: functionAt('GET', '/things/{thing}', async ({ rawPath }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(1);
      underWay -= 1;
      return { statusCode: 200, body: rawPath };
    }),
  });
  const answersTo = async (count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => index);
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write(numbers.map((each) => `GET /things/${each} HTTP/1.1\r\n\r\n`).join(''));
    socket.write('GET /last HTTP/1.1\r\nConnection: close\r\n\r\n');
    const answers = await text(socket).catch(() => '');
    return [...answers.matchAll(/\n\/things\/(\d+)/g)].map(([, number]) => Number(number));
  };
  expect(await answersTo(90)).toEqual(Array.from({ length: 90 }, (_, index) => index));
  expect((await answersTo(10_000)).length).toBeLessThan(200);
  expect(most).toBe(1);
});

test('a client that reads no answer has one under way, however many requests it sends', async () => {
  let served = 0;
  const body = 'x'.repeat(5_000_000);
  const { port, ask } = await serveLocally({
    getThing: functionAt('GET', '/things/{thing}', async () => {
      served += 1;
      return { statusCode: 200, body };
    }),
  });
  const socket = createConnection(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.pause().write('GET /things/big HTTP/1.1\r\n\r\n'.repeat(90));
  while (served === 0) await sleep(5);
  expect((await ask('/things/another')).body).toBe(body);
  expect(served).toBe(2);
});

test('closing takes no new requests and waits for the answer of one under way', async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { ask, close } = await serveOne(async () => {
    begin();
    await held;
    return { statusCode: 200, body: 'late' };
  });
  const underWay = ask('/', { headers: { connection: 'keep-alive' } });
  await begun;
  let closed = false;
  const closing = close().then(() => {
    closed = true;
  });
  await expect(ask('/')).rejects.toThrow('ECONNREFUSED');
  expect(closed).toBe(false);
  release();
  // The client would otherwise keep a connection that nobody serves any more.
  expect(await underWay).toMatchObject({ body: 'late', headers: { connection: 'close' } });
  await closing;
});
