import { once } from 'node:events';
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import type { Declaration, Endpoint } from '../../../../lib/http/declaration.ts';
import { type LocalServerOptions, startLocalServer } from '../../../../lib/http/local/local-server.ts';

type Answerer = (event: APIGatewayProxyEventV2, context: Context) => Promise<APIGatewayProxyStructuredResultV2>;

interface Reply {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export function functionAt(method: Declaration['method'], path: Declaration['path'], answerer: Answerer): Endpoint {
  const handler: Answerer = (event, context) => answerer(event, context);
  return Object.assign(handler, { declaration: { method, path, group: 'Test', summary: 'Test.', responses: {} } });
}

/** Answers the event itself, so that a test sees what its function would. */
export async function mirror(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  return { statusCode: 200, body: JSON.stringify(event) };
}

export const mirrors = {
  getThing: functionAt('GET', '/things/{thing}', mirror),
  getDefaultThing: functionAt('GET', '/things/default', mirror),
  postThing: functionAt('POST', '/things/{thing}/parts/{part}', mirror),
};

/** Serves endpoints until the test ends, and mirrors what none of them takes. */
export async function serveLocally(endpoints: Record<string, Endpoint>, options: Partial<LocalServerOptions> = {}) {
  const server = await startLocalServer({ endpoints, notFound: mirror, host: '127.0.0.1', port: 0, ...options });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  onTestFinished(close);

  async function ask(path: string, options: RequestOptions = {}, body?: string | Buffer): Promise<Reply> {
    const sent = request({ host: '127.0.0.1', port: server.port, agent: false, path, ...options });
    sent.end(body);
    const [response] = await once(sent, 'response');
    // A request that is still being sent after its answer may meet a closed connection.
    sent.on('error', () => {});
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }
  const eventOf = async (...asked: Parameters<typeof ask>): Promise<APIGatewayProxyEventV2> =>
    JSON.parse((await ask(...asked)).body);
  return { port: server.port, ask, eventOf, close };
}

/** Serves one endpoint at `/`, which answers as it is told. */
export const serveOne = (answerer: Answerer) => serveLocally({ get: functionAt('GET', '/', answerer) });

/** Writes to a server by hand; returns the connection. */
export function connected(port: number, written: string) {
  const socket = createConnection(port, '127.0.0.1');
  socket.write(written);
  return socket;
}
