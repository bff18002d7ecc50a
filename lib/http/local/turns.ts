import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cachePerObject } from '../../values/cache.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** The maximum number of waiting requests per connection. Clients that do not wait for replies send a few in advance. */
const maxWaiting = 100;

/**
 * Serves the requests of each connection one after the other, since their replies have to be in this order anyway, and each after the
 * previous reply has been sent. So a client that sends many requests concurrently, or does not read, takes no more memory than one that
 * waits. A connection with too many waiting requests is closed.
 */
export function serveInTurn(serve: Serve): Serve {
  const serveOn = cachePerObject((socket: Socket) => createQueue(socket, serve));
  return (request, response) => serveOn(request.socket)(request, response);
}

function createQueue(socket: Socket, serve: Serve): Serve {
  const waiting: Parameters<Serve>[] = [];
  let isServing = false;
  const start: Serve = (request, response) => {
    isServing = true;
    // This event also comes if the connection is lost.
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
    else if (waiting.length < maxWaiting) waiting.push([request, response]);
    else socket.destroy();
  };
}
