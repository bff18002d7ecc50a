import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A socket that accepts all connections and never answers. */
export async function openSilence() {
  const server = createServer((socket) => sockets.add(socket));
  const sockets = new Set<Socket>();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** The same request, sent there. */
    instead<Args extends object>(args: Args): Args {
      const { request } = args as { readonly request: object };
      const silent = Object.assign(Object.create(Object.getPrototypeOf(request)), request, {
        hostname: '127.0.0.1',
        port,
      });
      return { ...args, request: silent };
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
