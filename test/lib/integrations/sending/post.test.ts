import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Outside, postOut } from '../../../../lib/integrations/sending/post.ts';
import { listeningInTest } from '../../../harness/listening.ts';

const open: Outside = { allowedHosts: ['127.0.0.1', 'receiver.example'], ownPorts: [] };
const request = (url: string) => ({ target: '', url, headers: { 'x-a': 'b' }, body: 'tést' });

test('A post arrives completely, and its answer has the status and the requested pause', async () => {
  const bodies: string[] = [];
  const url = await listeningInTest(async (incoming, outgoing) => {
    bodies.push(
      `${incoming.method} ${incoming.headers['x-a']} ${incoming.headers['content-length']} ${await text(incoming)}`,
    );
    outgoing.writeHead(429, { 'retry-after': '7' }).end('slow');
  });
  expect(await postOut(request(url), open)).toEqual({ status: 429, retryAfter: '7', text: 'slow' });
  expect(bodies).toEqual(['POST b 5 tést']);
});

test('A redirect is not followed', async () => {
  let count = 0;
  const url = await listeningInTest((_, outgoing) => {
    count += 1;
    outgoing.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await postOut(request(url), open)).toMatchObject({ status: 302 });
  expect(count).toBe(1);
});

test('An answer without an end is read to 16 kB', async () => {
  const url = await listeningInTest((_, outgoing) => {
    const more = () => outgoing.write('x'.repeat(64 * 1024), more);
    more();
  });
  expect(await postOut(request(url), open)).toEqual({
    status: 200,
    retryAfter: undefined,
    text: 'x'.repeat(16 * 1024),
  });
});

test('An answer that breaks off in its body counts with its status', async () => {
  const url = await listeningInTest((_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' });
    outgoing.write('beginning', () => outgoing.destroy());
  });
  expect(await postOut(request(url), open)).toMatchObject({ status: 200, text: 'beginning' });
});

test('A silent receiver causes a timeout, before and after the connection', async () => {
  const url = await listeningInTest(() => {});
  const timeouts = { connectMs: 1_000, totalMs: 50 };
  expect(await postOut(request(url), { ...open, timeouts })).toEqual({
    lost: 'no answer within 0.05 s',
    timedOut: true,
  });
  const resolve = () => {};
  const silent = { ...open, resolve, timeouts: { connectMs: 20, totalMs: 1_000 } };
  expect(await postOut(request('http://receiver.example'), silent)).toEqual({
    lost: 'no connection within 0.02 s',
    timedOut: true,
  });
});

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

test.each([
  ['interim answers', '', 'HTTP/1.1 100 Continue\r\n\r\n', undefined],
  ['early hints', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', undefined],
  ['blank lines before the answer', '', '\r\n', undefined],
  ['extensions of chunks', chunked, `1;${'a'.repeat(8_000)}\r\nb\r\n`, 200],
  ['digits of the size of a chunk', chunked, '0', 200],
])('A receiver that sends %s without an end is left', async (_, first, part, status) => {
  const url = await floodInTest(first, Buffer.from(part.repeat(Math.ceil(16_384 / part.length))));
  const timeouts = { connectMs: 600_000, totalMs: 600_000 };
  const answer = await postOut(request(url), { ...open, timeouts });
  expect(answer).toMatchObject(status === undefined ? { lost: 'an answer of more than 128 kB' } : { status });
});

/** Starts a receiver that says something, and something else again and again. @returns its address. */
async function floodInTest(first: string, part: Buffer): Promise<string> {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    const more = () => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.on('error', () => {}).on('drain', more);
    socket.once('data', () => {
      socket.write(first);
      more();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['is told from an answer, without the address', '', 'ECONNRESET'],
  [
    'is what becomes of a receiver that wants another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'the answer ended',
  ],
])('A lost connection %s', async (_, said, reason) => {
  const server = createTcpServer((socket) => (said === '' ? socket.destroy() : socket.write(said))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await postOut(request(`http://127.0.0.1:${port}/secret`), open)).toEqual({
    lost: `no connection (${reason})`,
  });
});

test('No connection leads into a private network, by address, by name, or by a name that changes between two lookups', async () => {
  let count = 0;
  const { port, href } = new URL(
    await listeningInTest((_, outgoing) => {
      count += 1;
      outgoing.end();
    }),
  );
  expect(await postOut(request(href), { allowedHosts: ['elsewhere.example'], ownPorts: [] })).toHaveProperty(
    'forbidden',
  );
  // Nobody listens at the one address that is allowed, and the private one comes with the second look-up.
  const addresses = ['127.0.0.2', '127.0.0.1'];
  let looks = 0;
  const rebinding: Outside = {
    allowedHosts: ['127.0.0.2'],
    ownPorts: [],
    resolve(_, __, done) {
      done(null, [{ address: addresses[looks] ?? '', family: 4 }]);
      looks += 1;
    },
  };
  const asked = request(`https://receiver.example:${port}`);
  expect(await postOut(asked, rebinding)).toEqual({ lost: 'no connection (ECONNREFUSED)' });
  expect(looks).toBe(1);
  expect(await postOut(asked, rebinding)).toHaveProperty('forbidden');
  expect(count).toBe(0);
});
