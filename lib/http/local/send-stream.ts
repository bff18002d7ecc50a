import type { ServerResponse } from 'node:http';
import type { EventStream } from '../../values/event-stream.ts';
import type { StreamAnswer } from '../event-stream.ts';
import { flattenHeaders, lingerMs } from './answer.ts';

/** The bytes that may wait for a client that does not read. With more, it is cut off. If one event is as long, twice that event may wait. */
const waitingBytesMax = 256 * 1024;

/** Sends the head of a reply, and then its events, until the client or the service ends the connection. */
export function sendStream(response: ServerResponse, answer: StreamAnswer, stream: EventStream): void {
  // The client may have left while the reply was prepared.
  if (response.destroyed) return;
  response.writeHead(answer.statusCode ?? 200, flattenHeaders(answer));
  response.flushHeaders();
  let longest = 0;
  const end = stream({
    send(bytes) {
      // A client that does not read is still connected after the end. Node would throw an error that ends the process.
      if (response.writableEnded) return;
      longest = Math.max(longest, bytes.length);
      if (response.writableLength > Math.max(waitingBytesMax, 2 * longest)) response.destroy();
      else response.write(bytes);
    },
    end() {
      if (response.writableEnded) return;
      response.end();
      // A client that does not read would keep its connection, and delay the end of the server.
      const timer = setTimeout(() => response.destroy(), lingerMs);
      response.once('close', () => clearTimeout(timer));
    },
  });
  response.once('close', end);
}
