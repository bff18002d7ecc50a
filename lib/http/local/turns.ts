import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cachePerObject } from '../../values/cache.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** Clients that do not wait for answers send a few requests ahead. */
const waitingMax = 100;

/**
 * Serves the requests of each connection one after the other, as their answers have to go out in any case, and each when the
 * one before has gone: a client that sends many at once, or does not read, takes no more memory than one that waits. A
 * connection with too many of them is ended.
 */
export function inTurn(serve: Serve): Serve {
  const turnsOf = cachePerObject((socket: Socket) => turnsOn(socket, serve));
  return (request, response) => turnsOf(request.socket)(request, response);
}

function turnsOn(socket: Socket, serve: Serve): Serve {
  const waiting: Parameters<Serve>[] = [];
  let isServing = false;
  const start: Serve = (request, response) => {
    isServing = true;
    // It comes in any case, when the connection is lost as well.
    response.on('close', next);
    serve(request, response);
  };
  function next(): void {
    const call = waiting.shift();
    if (call === undefined || socket.destroyed) isServing = false;
    else start(...call);
  }
  return (request, response) => {
    if (!isServing) start(request, response);
    else if (waiting.length < waitingMax) waiting.push([request, response]);
    else socket.destroy();
  };
}
