import type { IncomingHttpHeaders } from 'node:http';
import { forward, listening } from '../harness/listening.ts';

/**
 * Hands all requests on to a store, and keeps what their headers said.
 * @param refusal an answer that is given once, in place of the store's, to the first request for an action.
 */
export async function recordingProxy(target: string, refusal?: { readonly action: string; readonly body: object }) {
  let refused = false;
  /** The headers of each request, in the order of their arrival. */
  const received: IncomingHttpHeaders[] = [];
  const server = await listening((incoming, outgoing) => {
    received.push(incoming.headers);
    const action = incoming.headers['x-amz-target'];
    if (refusal === undefined || refused || action !== `DynamoDB_20120810.${refusal.action}`) {
      return forward(incoming, outgoing, target);
    }
    refused = true;
    incoming.resume();
    outgoing.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(refusal.body));
  });
  return { ...server, received };
}
