import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from '../../harness/listening.ts';

export interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface Loopback extends AsyncDisposable {
  readonly url: string;
  /** The requests, in the order of their arrival. */
  readonly received: readonly Received[];
}

export interface LoopbackReply {
  readonly status: number;
  readonly body?: string;
}

/** A service on this machine that takes JSON, keeps it, and answers as its caller says. */
export async function loopback(answer: () => LoopbackReply | Promise<LoopbackReply>): Promise<Loopback> {
  const received: Received[] = [];
  const server = await listening(async (request, response) => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    received.push({ method: request.method, headers: request.headers, body });
    const { status, body: answered } = await answer();
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(answered);
  });
  return { ...server, received };
}
