import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ApiError, errorStatuses, invalid } from '../../errors.ts';
import { BoundedMap } from '../../values/cache.ts';
import type { Endpoint, LambdaHandler } from '../declaration.ts';
import type { StreamAnswer } from '../event-stream.ts';
import { bodyLimitOf } from '../limits.ts';
import { log } from '../log.ts';
import { commonHeaders } from '../middleware/respond.ts';
import { stackOf } from '../stack.ts';
import { lingerMs, sendAnswer, sendLast } from './answer.ts';
import { toContext } from './context.ts';
import { hasBody, readBody, toEvent } from './event.ts';
import { hostNameIn } from './host.ts';
import { createRouter, noRoute, type Route, type Router } from './router.ts';
import { sendStream } from './send-stream.ts';
import { serveInTurn } from './turns.ts';

export interface LocalServerOptions {
  /** The registry. Every function is served under its declared route. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Answers requests without an endpoint. */
  readonly notFound: LambdaHandler;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /**
   * Returns true if requests to a host name are served. The name is in lowercase and has no port. By default, all are served.
   */
  readonly servesHost?: (name: string) => boolean;
  /** Called for each answered request. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
}

/** A request and its result. */
export interface AnsweredRequest {
  readonly method: string;
  /** The declared route, such as `GET /things/{id}`, or `$default` for a request without an endpoint. */
  readonly route: string;
  /** The path and query as they were sent. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface LocalServer {
  /** The port of the server. */
  readonly port: number;
  /** Accepts no further requests, and waits until running ones are answered and all connections are closed. */
  close(): Promise<void>;
}

/**
 * The time for which idle connections stay open. It is longer than that of clients, so that the server does not close a connection
 * while a request is being sent.
 */
const keepAliveTimeout = 65_000;
/** API Gateway accepts some 10 kB of headers. A function must be able to refuse what it would refuse there. */
const maxHeaderSize = 64 * 1024;
/** The maximum time to wait for slow clients when the server closes. Containers are killed ten seconds after their signal. */
const maxCloseMs = 7_000;

/**
 * Serves the Lambda functions over HTTP as API Gateway does: each request becomes an event of payload 2.0 for the handler that is also
 * deployed.
 * @throws the system's error if it cannot listen, for example with the code EADDRINUSE.
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const router = createRouter(options.endpoints, options.notFound);
  const readLimit = largestBodyLimit(options.endpoints);
  const isClosing = (): boolean => !server.listening;
  const hosts = new BoundedMap<string, true>(maxHosts);
  const serving = { ...options, router, readLimit, isClosing, hosts };
  // A request without a body needs no stream.
  const server = createServer(
    {
      keepAliveTimeout,
      maxHeaderSize,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      joinDuplicateHeaders: true,
    },
    serveInTurn((request, response) => serve(serving, request, response)),
  );
  server.on('clientError', (error: Error & { code?: string }, socket) => refuse(error, socket));
  server.on('checkExpectation', (_request, response) => sendAnswer(response, toAnswer(newRequestId(), unexpected)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), maxCloseMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}

const unexpected = invalid('The value of the Expect header is not supported.');

/**
 * Answers input that is not valid HTTP in the usual error format, and closes the connection. A client that has disappeared would
 * otherwise keep it half open.
 */
function refuse({ code }: { code?: string }, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
  const { statusCode = 400, headers = {}, body = '' } = toAnswer(newRequestId(), problemOf(code));
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  socket.end(
    [`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...lines.map((line) => line.join(': ')), '', body].join(
      '\r\n',
    ),
  );
}

function problemOf(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError(
      'ContentTooLarge',
      `The request has too many headers, or more than ${maxHeaderSize} bytes of them.`,
    );
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ApiError('RequestTimeout', 'The request took too long to arrive.');
  return invalid('The request is not valid HTTP.');
}

/** Returns the highest body limit of all functions. The environment is read for each request, as the functions do. */
function largestBodyLimit(endpoints: LocalServerOptions['endpoints']): () => number {
  const declarations = Object.values(endpoints).map(({ declaration }) => declaration);
  const kinds = new Map(
    declarations.map((declaration) => [`${declaration.bodyLimitVariable} ${declaration.bodyBytesMin}`, declaration]),
  );
  return () => Math.max(bodyLimitOf({}), ...[...kinds.values()].map(bodyLimitOf));
}

/** The maximum number of cached `Host` headers. Clients send very few different ones. */
const maxHosts = 100;

interface Serving extends Pick<LocalServerOptions, 'servesHost' | 'onAnswered'> {
  readonly router: Router;
  readonly readLimit: () => number;
  readonly isClosing: () => boolean;
  /** The headers that are known to name a served host. */
  readonly hosts: BoundedMap<string, true>;
}

function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): void {
  const answered = createListener(serving.onAnswered, request, response);
  const requestId = newRequestId();
  const fail = (error: unknown) =>
    sendLast(request, response, toAnswer(requestId, error instanceof ApiError ? error : crashed(error, requestId)));
  try {
    const route = find(serving, request);
    void answer(serving, request, response, { route, requestId })
      .catch(fail)
      .then(() => answered?.(route.routeKey));
  } catch (error) {
    fail(error);
    answered?.(noRoute);
  }
}

/**
 * Returns a function that reports the request, or undefined without a listener, so that the clock is not read. An error of the listener
 * must not fail the request or end the process.
 */
function createListener(
  onAnswered: LocalServerOptions['onAnswered'],
  { method = '', url: target = '/' }: IncomingMessage,
  response: ServerResponse,
): ((route: string) => void) | undefined {
  if (onAnswered === undefined) return undefined;
  const startedAt = performance.now();
  return (route) => {
    try {
      onAnswered({ method, route, target, status: response.statusCode, milliseconds: performance.now() - startedAt });
    } catch (error) {
      log('ERROR', 'an answered request could not be reported', { stack: stackOf(error) });
    }
  };
}

const idsBegin = randomUUID().slice(0, -12);
let requests = 0;

/** Returns an id that is unique across processes. Counting is cheaper than a random id, which is noticeable in the cost of a poll. */
function newRequestId(): string {
  requests += 1;
  return idsBegin + requests.toString(16).padStart(12, '0');
}

async function answer(
  { readLimit, isClosing }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  { route, requestId }: { readonly route: Route; readonly requestId: string },
): Promise<void> {
  const maxBytes = hasBody(request) ? readLimit() : 0;
  const body = hasBody(request) ? await readBody(request, maxBytes) : undefined;
  const event = toEvent(request, route, body, requestId);
  const answer: StreamAnswer = await route.handler(event, toContext(route, requestId));
  // A connection that the client keeps open would delay the end of the server.
  if (isClosing()) response.shouldKeepAlive = false;
  if (answer.stream !== undefined) sendStream(response, answer, answer.stream);
  else if (body !== undefined && body.length > maxBytes) sendLast(request, response, answer);
  else sendAnswer(response, answer);
}

/**
 * Finds the endpoint for a request.
 * @throws ApiError 400 or 403 for a host that is not served.
 */
function find(serving: Serving, request: IncomingMessage): Route {
  const { method = '', url: target = '/' } = request;
  assertHostServed(serving, request);
  return serving.router(method, target);
}

/**
 * Refuses requests of pages whose host name was pointed to this machine after they were loaded (DNS rebinding): they still send that
 * name.
 * @throws ApiError 400 for two hosts or an invalid one, and 403 for one that is not served.
 */
function assertHostServed({ servesHost, hosts }: Serving, { headers: { host = '' } }: IncomingMessage): void {
  if (host === '' || hosts.has(host)) return;
  const name = hostNameIn(host);
  if (name === undefined) throw invalid('The Host header must be one host name, with or without a port.');
  if (servesHost?.(name) === false) {
    const shown = JSON.stringify(name.slice(0, 100));
    throw new ApiError(
      'NoAccessError',
      `This server does not serve the host ${shown}; add it to ALLOWED_HOSTS, or name it in PUBLIC_URL.`,
    );
  }
  hosts.set(host, true);
}

/**
 * Returns the error for a function that let one escape. None should; if one does, the caller gets the format of every
 * other error.
 */
function crashed(error: unknown, requestId: string): ApiError {
  log('ERROR', 'crashed', { requestId, stack: stackOf(error) });
  return new ApiError('InternalError', 'Something went wrong on our side.');
}

function toAnswer(id: string, { name, message, details }: ApiError): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode: errorStatuses[name],
    headers: { ...commonHeaders, 'x-request-id': id, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ id, name, message, details }),
  };
}
