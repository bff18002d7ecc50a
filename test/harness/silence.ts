import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createNetworkTransport } from '../../lib/store/client/network.ts';

/** A socket that accepts all connections and never answers. */
export async function openSilence() {
  const server = createServer((socket) => sockets.add(socket));
  const sockets = new Set<Socket>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Sends a request there, in the place of the store. */
    ask: createNetworkTransport(`http://127.0.0.1:${port}`),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
