import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { StreamAnswer } from '../../../lib/http/event-stream.ts';
import { toContext } from '../../../lib/http/local/context.ts';
import { readGreeting } from '../../harness/greeting.ts';
import { operationOf, type SpecifiedOperation } from './operations.ts';
import { gatewayEvent, type HostileRequest } from './request.ts';

/** Answer as a client sees it. */
export interface ReceivedReply {
  /** Operation that answered; undefined if no route takes the request, or if it never became one. */
  readonly operation: SpecifiedOperation | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The id that the request was given, where it is known. */
  readonly requestId?: string;
}

/** An answer of a function, with what it cost. */
export interface Delivered extends ReceivedReply {
  readonly requestId: string;
  /** The size of the answer as Lambda counts it. */
  readonly answerBytes: number;
  /** Time of this process's processor. */
  readonly processorMs: number;
}

/**
 * Calls the function that takes a request, in this process.
 * @throws any error of the function, which must throw none, and Error if API Gateway would not take its answer.
 */
export async function deliver(request: HostileRequest): Promise<Delivered> {
  const { route, event } = gatewayEvent(request);
  const requestId = randomUUID();
  const before = process.cpuUsage();
  const result = await route.handler(event, toContext(route, requestId));
  const { user, system } = process.cpuUsage(before);
  return {
    operation: operationOf(route.handler),
    requestId,
    processorMs: (user + system) / 1000,
    answerBytes: Buffer.byteLength(JSON.stringify(result)),
    ...received(result),
  };
}

function received({ statusCode, headers = {}, body = '', isBase64Encoded, stream }: StreamAnswer) {
  if (statusCode === undefined) throw new Error('The function answered without a status.');
  const readBody = () => (isBase64Encoded ? gunzipSync(Buffer.from(body, 'base64')).toString() : body);
  return {
    status: statusCode,
    headers: headers as Record<string, string>,
    text: stream ? readGreeting(stream).toString() : readBody(),
  };
}
