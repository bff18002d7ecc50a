import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Call = [request: IncomingMessage, response: ServerResponse];

/** Clients that do not wait for answers send a few requests ahead. */
const waitingMax = 100;

/**
 * Serves the requests of each connection one after the other, as their answers have to go out in any case: a client that
 * sends many at once takes no more memory than one that waits. A connection with too many of them is ended.
 */
export function inTurn(serve: (...call: Call) => Promise<void>): (...call: Call) => void {
  const connections = new WeakMap<Socket, Call[]>();

  async function serveAll(socket: Socket, first: Call): Promise<void> {
    const waiting: Call[] = [];
    connections.set(socket, waiting);
    for (let call: Call | undefined = first; call !== undefined && !socket.destroyed; call = waiting.shift()) {
      await serve(...call);
    }
    connections.delete(socket);
  }

  return (...call) => {
    const [{ socket }] = call;
    const waiting = connections.get(socket);
    if (waiting === undefined) void serveAll(socket, call);
    else if (waiting.length < waitingMax) waiting.push(call);
    else socket.destroy();
  };
}
