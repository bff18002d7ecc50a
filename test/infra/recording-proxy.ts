import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { listening } from './listening.ts';

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
  return listening(server, received);
}
