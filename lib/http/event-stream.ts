import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpReply } from '../idempotency/receipt-items.ts';

/** A connection that stays open. @internal */
export interface Connection {
  /** Sends bytes, or ends the connection if its client does not read. */
  send(bytes: Buffer): void;
  end(): void;
}

/** Begins to send events to a connection. Returns a function that the server calls when the connection has ended. */
export type EventStream = (connection: Connection) => () => void;

/** A reply that may go on as a stream. */
export interface StreamReply extends HttpReply {
  readonly stream?: EventStream;
}

/** The answer of a function that may go on as a stream. API Gateway never gets one: streams are not deployed. */
export interface StreamAnswer extends APIGatewayProxyStructuredResultV2 {
  readonly stream?: EventStream;
}

/** Headers that keep proxies from storing, changing or delaying events. nginx reads the last one. */
const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

/** Returns the parts of a reply that goes on as a stream of server-sent events. */
export function streamReply(stream: EventStream) {
  return { headers, stream };
}
