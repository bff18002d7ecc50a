import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { HttpReply } from '../idempotency/record-items.ts';
import type { EventStream } from '../values/event-stream.ts';

/** A reply that may be a stream. */
export interface StreamReply extends HttpReply {
  readonly stream?: EventStream;
}

/** The answer of a handler, which may be a stream. API Gateway never gets one: streams are not deployed. */
export interface StreamAnswer extends APIGatewayProxyStructuredResultV2 {
  readonly stream?: EventStream;
}

/** Headers that keep proxies from storing, changing or delaying events. nginx reads the last one. */
const headers = { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' };

/** Returns the parts of a reply that sends server-sent events for as long as its client stays. */
export function streamReply(stream: EventStream) {
  return { headers, stream };
}
