import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { hostNameIn } from '../../lib/http/local/host.ts';
import type { InProcessStore } from '../../lib/store/client/in-process.ts';
import { isLoopback } from '../../lib/values/web-address.ts';
import { Problem, wordsOf } from '../problem.ts';

/** The address where programs on this machine reach the embedded store. */
export interface StoreGate {
  readonly endpoint: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/**
 * Answers programs for a store of this process, and refuses what a browser can send for a web page: with an origin, to
 * another host name than this machine's, or in a form that needs no preflight.
 * @throws Problem when it cannot listen on the port; 0 takes any free one.
 */
export async function openGate(port: number, store: InProcessStore): Promise<StoreGate> {
  const server = createServer((incoming, outgoing) => {
    const reason = reasonAgainst(incoming);
    if (reason === undefined) void answer(incoming, outgoing, store);
    else refuse(outgoing, reason);
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new Problem(
      error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
        ? `STORE_PORT ${port} is in use; stop what listens there, or leave STORE_PORT out.`
        : `STORE_PORT ${port} cannot be opened: ${wordsOf(error)}`,
    );
  }
  return {
    endpoint: `http://${host}:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function reasonAgainst({ method, headers }: IncomingMessage): string | undefined {
  const { origin, host = '', 'content-type': type = '' } = headers;
  if (origin !== undefined || headers['sec-fetch-mode'] !== undefined) return 'Web pages may not use this store.';
  if (!isLoopback(hostNameIn(host) ?? '')) return 'This store serves only programs on this machine.';
  if (method !== 'POST' || !/^application\/x-amz-json-1\.0\b/i.test(type)) {
    return 'This store accepts POST with the content type application/x-amz-json-1.0.';
  }
  return undefined;
}

/** In the form of the store's own errors. */
function refuse(outgoing: ServerResponse, message: string): void {
  const body = JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message });
  outgoing.writeHead(403, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' }).end(body);
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, store: InProcessStore): Promise<void> {
  try {
    const operation = String(incoming.headers['x-amz-target']).replace(/^.*\./, '');
    const { status, body } = await store.answer(operation, JSON.parse(await text(incoming)));
    outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  } catch {
    // The program has gone in the middle of its request.
    outgoing.destroy();
  }
}
