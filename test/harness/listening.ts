import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Serves on a free port of this machine until the block that uses it ends. */
export async function listening(answer: RequestListener) {
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The same for as long as the test runs; returns the address. */
export async function listeningInTest(answer: RequestListener): Promise<string> {
  const server = await listening(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

/** Hands a request on to another server, and what that answers back. Tells of the end of the answer. */
export function forward(incoming: IncomingMessage, outgoing: ServerResponse, target: string, onEnd = () => {}): void {
  const { method, url = '/', headers } = incoming;
  const address = new URL(url, target);
  const forwarded = request(address, { method, headers: { ...headers, host: address.host } });
  forwarded.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('end', onEnd).pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.writeHead(502).end());
  incoming.pipe(forwarded);
}
