import { type IncomingHttpHeaders, request } from 'node:http';
import { listening } from '../harness/listening.ts';

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** The headers of each request, in the order of their arrival. */
  readonly received: readonly IncomingHttpHeaders[];
}

/** Answer that is given once, in place of the store's. */
export interface Refusal {
  readonly action: string;
  readonly body: object;
}

/** Hands all requests on to a store, but for a first one that is to be refused, and keeps what their headers said. */
export async function recordingProxy(target: string, refusal?: Refusal): Promise<RecordingProxy> {
  let refused = false;
  const received: IncomingHttpHeaders[] = [];
  const server = await listening((incoming, outgoing) => {
    const { method = 'POST', url = '/', headers } = incoming;
    received.push(headers);
    if (refusal !== undefined && !refused && headers['x-amz-target'] === `DynamoDB_20120810.${refusal.action}`) {
      refused = true;
      incoming.resume();
      outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(refusal.body));
      return;
    }
    const forwarded = request(new URL(url, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  return { ...server, received };
}
