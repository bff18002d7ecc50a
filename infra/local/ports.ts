import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';

/** A port of an address that nobody listens on, for a program that cannot report which one it took. */
export async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Tells whether anything takes connections at a port of an address, at once or within so many milliseconds. */
export function takesConnections(host: string, port: number, timeout?: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, ...(timeout !== undefined && { timeout }) });
    const end = (isTaken: boolean) => () => {
      socket.destroy();
      resolve(isTaken);
    };
    socket.once('connect', end(true)).once('timeout', end(false)).once('error', end(false));
  });
}
