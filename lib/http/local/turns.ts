import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Call = [request: IncomingMessage, response: ServerResponse];

/** Clients that do not wait for answers send a few requests ahead. */
const waitingMax = 100;

/**
 * Serves the requests of each connection one after the other, as their answers have to go out in any case, and each when the
 * one before has gone: a client that sends many at once, or does not read, takes no more memory than one that waits. A
 * connection with too many of them is ended.
 */
export function inTurn(serve: (...call: Call) => void): (...call: Call) => void {
  const connections = new WeakMap<Socket, Call[]>();

  function start(socket: Socket, [request, response]: Call, waiting: Call[]): void {
    // It comes in any case, when the connection is lost as well.
    response.once('close', () => {
      const next = waiting.shift();
      if (next === undefined || socket.destroyed) connections.delete(socket);
      else start(socket, next, waiting);
    });
    serve(request, response);
  }

  return (...call) => {
    const [{ socket }] = call;
    const waiting = connections.get(socket);
    if (waiting === undefined) {
      const none: Call[] = [];
      connections.set(socket, none);
      start(socket, call, none);
    } else if (waiting.length < waitingMax) {
      waiting.push(call);
    } else {
      socket.destroy();
    }
  };
}
