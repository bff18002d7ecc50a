import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** The headers of each request, in the order of their arrival. */
  readonly received: readonly IncomingHttpHeaders[];
}

/** Hands all requests on to a store and keeps what their headers said. */
export async function recordingProxy(target: string): Promise<RecordingProxy> {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = 'POST', url = '/', headers } = incoming;
    received.push(headers);
    const forwarded = request(new URL(url, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
