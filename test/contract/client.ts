import { expect } from 'vitest';
import type { Target } from './target.ts';

interface ContractCallOptions {
  /** The value of the authorization header; null for none. The admin token otherwise. */
  readonly token?: string | null;
  /** Sent as JSON, unless it is text, which is sent as it is. */
  readonly body?: unknown;
  /** null for none. */
  readonly contentType?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ContractReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The text, parsed; undefined where there is none. */
  readonly body: unknown;
}

/** A client that knows HTTP and nothing else of the service. */
export interface Client {
  /** Address of the service, and the headers that all requests to it need. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly viewerToken: string;
  readonly adminToken: string;
  call(method: string, path: string, options?: ContractCallOptions): Promise<ContractReply>;
  get(path: string, options?: ContractCallOptions): Promise<ContractReply>;
  post(path: string, body: unknown, options?: ContractCallOptions): Promise<ContractReply>;
  put(path: string, body: unknown, options?: ContractCallOptions): Promise<ContractReply>;
}

/** The time in which API Gateway gives up a function. */
const answerMsMax = 30_000;

export function createClient({ url, host, adminToken, viewerToken }: Target): Client {
  const headers = host === undefined ? {} : { host };

  async function call(method: string, path: string, options: ContractCallOptions = {}): Promise<ContractReply> {
    const { token = adminToken, body, contentType = body === undefined ? null : 'application/json' } = options;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        ...(token !== null && { authorization: token }),
        ...(contentType !== null && { 'content-type': contentType }),
        ...options.headers,
      },
      // With a text, fetch would name a type of its own where none is to be named.
      ...(body !== undefined && { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson(response) ? parsed(text) : undefined,
    };
    if (answer.status >= 400 && method !== 'HEAD') expectErrorShape(answer);
    return answer;
  }
  return {
    url,
    headers,
    adminToken,
    viewerToken,
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
  };
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false;
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`No JSON: ${text.slice(0, 500)}`);
  }
}

/** Every error of every call has the same shape, and an id that the answer's headers carry, too. */
function expectErrorShape({ status, headers, body, text }: ContractReply): void {
  expect(body, text).toEqual({
    id: headers.get('x-request-id'),
    name: expect.stringMatching(/^[A-Z]\w+$/),
    message: expect.stringMatching(/./),
    details: expect.arrayContaining([expect.objectContaining({ message: expect.stringMatching(/./) })]),
    // Where people can sign in, it says how.
    ...(status === 401 &&
      Object.hasOwn(body as object, 'type') && {
        ...{ type: 'password', path: '/auth/simple/login', defaultHidden: expect.any(Boolean) },
        ...(Object.hasOwn(body as object, 'options') && { options: expect.any(Array) }),
      }),
  });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
}

/** Expects that a call was refused with this status and error name. */
export function expectRefusal({ status, body, text }: ContractReply, expected: number, name: string): void {
  expect({ status, name: (body as { name?: string })?.name }, text).toEqual({ status: expected, name });
}

/** Expects that a call was answered with 200 and nothing else. */
export function expectDone({ status, text }: ContractReply): void {
  expect({ status, text }).toEqual({ status: 200, text: '' });
}

/** The body of a call that was answered well. */
export function bodyOf<T>({ status, body, text }: ContractReply, expected = 200): T {
  expect(status, text).toBe(expected);
  return body as T;
}

/** The places that a refusal names, each once, sorted. */
export function refusedPaths(answer: ContractReply): string[] {
  expectRefusal(answer, 400, 'ValidationError');
  const { details } = answer.body as { details: { path?: string }[] };
  return [...new Set(details.map(({ path = '' }) => path))].toSorted();
}
