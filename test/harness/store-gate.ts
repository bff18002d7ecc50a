import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { InProcessStore } from '../../lib/store/client/in-process.ts';

/**
 * Opens a store of this process to the processes that tests start, and to clients that know the network alone.
 * @returns the address. It ends with this process.
 */
export async function openStoreGate(store: InProcessStore): Promise<string> {
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing, store));
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
