import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ApiError, errorStatuses, invalid } from '../../errors.ts';
import { BoundedMap } from '../../values/cache.ts';
import type { Endpoint, LambdaHandler } from '../declaration.ts';
import { bodyLimitOf } from '../limits.ts';
import { log } from '../log.ts';
import { commonHeaders } from '../middleware/respond.ts';
import { stackOf } from '../stack.ts';
import { lingerMs, sendAnswer, sendLast } from './answer.ts';
import { toContext } from './context.ts';
import { hasBody, readBody, toEvent } from './event.ts';
import { hostNameIn } from './host.ts';
import { createRouter, type Route, type Router } from './router.ts';
import { inTurn } from './turns.ts';

export interface LocalServerOptions {
  /** The registry: every function of it is served under its own declaration. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Answers requests that no declaration takes. */
  readonly notFound: LambdaHandler;
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /**
   * Tells whether requests to a host name are served; the name is lowercase and has no port. All are served by default.
   */
  readonly servesHost?: (name: string) => boolean;
  /** Handles each request that has been answered. */
  readonly onAnswered?: (answered: AnsweredRequest) => void;
}

/** Request and its outcome. */
export interface AnsweredRequest {
  readonly method: string;
  /** The path as it was sent, with its query. */
  readonly target: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface LocalServer {
  /** Port that the server listens on. */
  readonly port: number;
  /** Takes no more requests, and is done when those under way are answered and all connections are closed. */
  close(): Promise<void>;
}

/**
 * Time that an idle connection is kept open: longer than clients keep theirs, so that the server never closes one just
 * as a request is sent.
 */
const keepAliveTimeout = 65_000;
/** API Gateway takes some 10 kB of headers; whatever a function is to refuse must reach it here, too. */
const maxHeaderSize = 64 * 1024;
/** A request that is still arriving, or a client that does not read its answer, does not hold up the end for ever. */
const closePatienceMs = 10_000;

/**
 * Serves the Lambda functions over HTTP the way API Gateway does: each request becomes an event of payload 2.0 for the
 * same handler that is deployed.
 * @throws the system's error when it cannot listen, e.g. with code EADDRINUSE.
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const router = createRouter(options.endpoints, options.notFound);
  const readLimit = largestBodyLimit(options.endpoints);
  const isClosing = (): boolean => !server.listening;
  const hosts = new BoundedMap<string, true>(hostsMax);
  const serving = { ...options, router, readLimit, isClosing, hosts };
  // A request without a body, as nearly all are, needs no stream for it.
  const server = createServer(
    {
      keepAliveTimeout,
      maxHeaderSize,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      joinDuplicateHeaders: true,
    },
    inTurn((request, response) => serve(serving, request, response)),
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
        const impatience = setTimeout(() => server.closeAllConnections(), closePatienceMs);
        server.close(() => {
          clearTimeout(impatience);
          resolve();
        });
      }),
  };
}

const unexpected = invalid('The value of the Expect header is not supported.');

/**
 * Answers input that is not HTTP, and so never becomes an event, in the format of all errors, and closes the
 * connection: its client may have vanished, and would keep it half open for as long as it likes.
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

/** Returns the most bytes that any function accepts, asked for with each request, since the functions do so, too. */
function largestBodyLimit(endpoints: LocalServerOptions['endpoints']): () => number {
  const declarations = Object.values(endpoints).map(({ declaration }) => declaration);
  const kinds = new Map(declarations.map((each) => [`${each.bodyLimitVariable} ${each.bodyBytesMin}`, each]));
  return () => Math.max(bodyLimitOf({}), ...[...kinds.values()].map(bodyLimitOf));
}

/** The most `Host` headers that are remembered, of which clients send very few. */
const hostsMax = 100;

interface Serving extends Pick<LocalServerOptions, 'servesHost' | 'onAnswered'> {
  readonly router: Router;
  readonly readLimit: () => number;
  readonly isClosing: () => boolean;
  /** Headers that were found to name a host that is served. */
  readonly hosts: BoundedMap<string, true>;
}

function serve(serving: Serving, request: IncomingMessage, response: ServerResponse): void {
  const answered = reporting(serving.onAnswered, request, response);
  const requestId = newRequestId();
  const fail = (error: unknown) =>
    sendLast(request, response, toAnswer(requestId, error instanceof ApiError ? error : crashed(error, requestId)));
  try {
    const route = find(serving, request);
    void answer(serving, request, response, { route, requestId }).catch(fail).then(answered);
  } catch (error) {
    fail(error);
    answered?.();
  }
}

/**
 * Reads the clock only where somebody listens. An error of the listener must not reach the request, which would be answered
 * once more, or end the process.
 */
function reporting(
  onAnswered: LocalServerOptions['onAnswered'],
  { method = '', url: target = '/' }: IncomingMessage,
  response: ServerResponse,
): (() => void) | undefined {
  if (onAnswered === undefined) return undefined;
  const startedAt = performance.now();
  return () => {
    try {
      onAnswered({ method, target, status: response.statusCode, milliseconds: performance.now() - startedAt });
    } catch (error) {
      log('ERROR', 'an answered request could not be reported', { stack: stackOf(error) });
    }
  };
}

const idsBegin = randomUUID().slice(0, -12);
let requests = 0;

/** Makes an id that no other process makes. Counting is cheaper than drawing a random id, which shows in the cost of a poll. */
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
  const bytesMax = hasBody(request) ? readLimit() : 0;
  const body = hasBody(request) ? await readBody(request, bytesMax) : undefined;
  const answer = await route.handler(toEvent(request, route, body, requestId), toContext(route, requestId));
  // A connection that its client keeps would outlast the closing server.
  if (isClosing()) response.shouldKeepAlive = false;
  if (body !== undefined && body.length > bytesMax) sendLast(request, response, answer);
  else sendAnswer(response, answer);
}

/**
 * Finds the endpoint of a request.
 * @throws ApiError 400 or 403 for a host that is not served.
 */
function find(serving: Serving, request: IncomingMessage): Route {
  const { method = '', url: target = '/' } = request;
  assertHostServed(serving, request);
  return serving.router(method, target);
}

/**
 * Refuses a page whose host name was pointed at this machine after it was loaded: it still sends that name.
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
