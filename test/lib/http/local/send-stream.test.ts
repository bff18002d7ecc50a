import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { StreamAnswer } from '../../../../lib/http/event-stream.ts';
import type { Connection } from '../../../../lib/values/event-stream.ts';
import { connected, serveOne } from './serving.ts';

/** A server whose only answer is a stream, with the connections on which it sends. */
async function serveStream() {
  const connections = new Set<Connection>();
  const answer: StreamAnswer = {
    statusCode: 200,
    headers: { 'content-type': 'text/event-stream' },
    stream: (connection) => {
      connections.add(connection);
      connection.send(Buffer.from('data: first\n\n'));
      return () => void connections.delete(connection);
    },
  };
  return { ...(await serveOne(async () => answer)), connections };
}

async function openStream(port: number): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port, agent: false }).end();
  onTestFinished(() => void sent.destroy());
  const [response] = await once(sent, 'response');
  return response;
}

test('A stream begins at once, goes on, and ends when the service ends it', async () => {
  const { port, connections } = await serveStream();
  const response = await openStream(port);
  expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
  expect(response.headers['content-length']).toBeUndefined();
  const events = response.setEncoding('utf8')[Symbol.asyncIterator]();
  expect(await events.next()).toEqual({ value: 'data: first\n\n', done: false });
  const [connection] = connections;
  connection?.send(Buffer.from('data: second\n\n'));
  expect(await events.next()).toEqual({ value: 'data: second\n\n', done: false });
  connection?.end();
  expect(await events.next()).toMatchObject({ done: true });
  await vi.waitFor(() => expect(connections.size).toBe(0));
});

test('The service learns that a client has left', async () => {
  const { port, connections } = await serveStream();
  const response = await openStream(port);
  response.destroy();
  await vi.waitFor(() => expect(connections.size).toBe(0));
});

test('A client that does not read is cut off, before much waits for it', async () => {
  const { port, connections } = await serveStream();
  const socket = connected(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n').pause();
  onTestFinished(() => void socket.destroy());
  await vi.waitFor(() => expect(connections.size).toBe(1));
  const [connection] = connections;
  const event = Buffer.alloc(64 * 1024, 'x');
  let sent = 0;
  // The system takes some megabytes itself.
  for (; connections.size > 0 && sent < 1_000; sent += 1) {
    connection?.send(event);
    await sleep(1);
  }
  expect(sent).toBeLessThan(1_000);
});

test('The end of a stream does not wait for a client that does not read, and nothing follows it', async () => {
  const { port, connections } = await serveStream();
  const socket = connected(port, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n').pause();
  onTestFinished(() => void socket.destroy());
  await vi.waitFor(() => expect(connections.size).toBe(1));
  const [connection] = connections;
  // More than the system takes.
  connection?.send(Buffer.alloc(64 * 1024 * 1024, 'x'));
  connection?.end();
  connection?.send(Buffer.from('data: late\n\n'));
  await vi.waitFor(() => expect(connections.size).toBe(0), { timeout: 10_000 });
});

test('A server that stops waits for its streams, which the service ends', async () => {
  const { port, connections, close } = await serveStream();
  const response = await openStream(port);
  const ended = once(response.resume(), 'end');
  const closed = close();
  for (const connection of connections) connection.end();
  await Promise.all([closed, ended]);
  expect(connections.size).toBe(0);
});
