import { setTimeout as sleep } from 'node:timers/promises';
import type { Get } from '../../../lib/imports/migration/reading.ts';
import { describeError, Problem } from '../../problem.ts';
import { addressIn, retryAfterOf } from '../service.ts';

/** A server to read from, and the token for that. */
export interface SourceServer {
  readonly service: URL;
  readonly token: string;
  /** Additional headers for each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Limits for a server that may be slow, broken or hostile. */
export interface ClientLimits {
  readonly maxBodyBytes: number;
  /** The limit for all answers together. Most of them may be saved to files. */
  readonly maxTotalBytes: number;
  readonly answerMs: number;
  /** The pause before the second attempt. It doubles with each further attempt. */
  readonly pauseMs: number;
}

const usualLimits: ClientLimits = {
  maxBodyBytes: 64 * 1024 * 1024,
  maxTotalBytes: 2 * 1024 ** 3,
  answerMs: 60_000,
  pauseMs: 500,
};

/** The number of concurrent requests. It is low, since the other server has its own work. */
const concurrency = 2;
const maxAttempts = 6;
const maxRedirects = 3;

/**
 * Returns a reader of a server, which sends only GET requests, two at a time. It repeats a request if the server is busy or cannot
 * be reached, and waits at least as long as `Retry-After` says.
 * The reader throws a Problem if the server cannot be reached, sends more than the limit, redirects to another server, or answers
 * 200 without JSON.
 */
export function clientOf(server: SourceServer, limits: ClientLimits = usualLimits): Get {
  const waiting: (() => void)[] = [];
  let running = 0;
  let bytes = 0;
  return async (path) => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      const { text, ...answer } = await getWithRetries(server, path, limits);
      bytes += text.length;
      if (bytes > limits.maxTotalBytes)
        throw new Problem(`${path}: the server has sent more than ${limits.maxTotalBytes} bytes.`);
      return { ...answer, body: answer.status === 200 ? parse(path, text) : undefined };
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

async function getWithRetries(server: SourceServer, path: string, limits: ClientLimits) {
  for (let attempts = 1; ; attempts += 1) {
    const { status, text, retryAfterMs } = await attempt(server, path, limits);
    const isTemporary = status === 0 || status === 429 || status >= 500;
    if (!isTemporary) return { status, text };
    // A server that lacks an operation may answer 5xx, so that is a result. Without any answer, the server cannot be read.
    if (attempts === maxAttempts && status >= 500) return { status, text: '' };
    if (attempts === maxAttempts) throw new Problem(status === 0 ? text : `${path}: the server is too busy (429).`);
    await sleep(Math.max(limits.pauseMs * 2 ** (attempts - 1), retryAfterMs));
  }
}

interface RawAnswer {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number;
}

async function attempt(
  { service, token, headers: additional }: SourceServer,
  path: string,
  limits: ClientLimits,
): Promise<RawAnswer> {
  const { origin } = service;
  const signal = AbortSignal.timeout(limits.answerMs);
  const headers = { ...additional, authorization: token, accept: 'application/json' };
  try {
    let address = addressIn(service, path);
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(address, { headers, redirect: 'manual', signal });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) {
        const text = await readText(response, path, limits.maxBodyBytes);
        return { status: response.status, text, retryAfterMs: retryAfterOf(response) };
      }
      await response.body?.cancel();
      const next = URL.parse(location, address);
      if (next?.origin !== origin)
        throw new Problem(`${path}: the server redirects to another server, which must not get the token.`);
      if (redirects === maxRedirects) throw new Problem(`${path}: the server redirects too often.`);
      address = next;
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = signal.aborted ? `no answer within ${limits.answerMs / 1_000} s` : describeError(error);
    return { status: 0, text: `${origin} does not answer: ${reason.replace(/\.$/, '')}.`, retryAfterMs: 0 };
  }
}

async function readText(response: Response, path: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Problem(`${path}: the answer has more than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(
      `${path}: the answer is not JSON, so this is not an Unleash server, or another program answers in its place.`,
    );
  }
}
