import { setTimeout as sleep } from 'node:timers/promises';
import type { Get } from '../../../lib/imports/migration/reading.ts';
import { describeError, Problem } from '../../problem.ts';
import { retryAfterIn } from '../retry-after.ts';
import { addressIn } from '../service.ts';

/** A server to read from. */
export interface SourceServer {
  readonly service: URL;
  readonly token: string;
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Limits of what one server may cost: it may be slow, broken or hostile. */
export interface ClientLimits {
  readonly bodyBytesMax: number;
  /** Of all answers together, most of which are kept in a file. */
  readonly totalBytesMax: number;
  readonly answerMs: number;
  /** Pause before the second attempt; each further one is twice as long. */
  readonly pauseMs: number;
}

const usualLimits: ClientLimits = {
  bodyBytesMax: 64 * 1024 * 1024,
  totalBytesMax: 2 * 1024 ** 3,
  answerMs: 60_000,
  pauseMs: 500,
};

/** Requests that are under way together, so that the other server has its work done beside. */
const atOnce = 2;
const attemptsMax = 6;
const redirectsMax = 3;

/**
 * Returns a reader of a server, which sends nothing but GETs: two at once, again where the server is busy or out of
 * reach, and as late as its `Retry-After` says.
 * @throws Problem (the reader) for a server that stays out of reach, sends more than the limit, leads elsewhere or
 * answers no JSON where it says 200.
 */
export function clientOf(server: SourceServer, limits: ClientLimits = usualLimits): Get {
  const waiting: (() => void)[] = [];
  let running = 0;
  let bytes = 0;
  return async (path) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      const { text, ...answer } = await persistently(server, path, limits);
      bytes += text.length;
      if (bytes > limits.totalBytesMax)
        throw new Problem(`${path}: the server has sent more than ${limits.totalBytesMax} bytes.`);
      return { ...answer, body: answer.status === 200 ? parsed(path, text) : undefined };
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

async function persistently(server: SourceServer, path: string, limits: ClientLimits) {
  for (let attempt = 1; ; attempt += 1) {
    const { status, text, retryAfterMs } = await attemptToGet(server, path, limits);
    const isShortLived = status === 0 || status === 429 || status >= 500;
    if (!isShortLived) return { status, text };
    // A server that lacks an operation may fail instead of saying so; one that cannot be reached answers nothing at all.
    if (attempt === attemptsMax && status >= 500) return { status, text: '' };
    if (attempt === attemptsMax) throw new Problem(status === 0 ? text : `${path}: the server is too busy (429).`);
    await sleep(Math.max(limits.pauseMs * 2 ** (attempt - 1), retryAfterMs));
  }
}

interface RawAnswer {
  /** 0 where there was none. */
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number;
}

async function attemptToGet(
  { service, token, headers: further }: SourceServer,
  path: string,
  limits: ClientLimits,
): Promise<RawAnswer> {
  const { origin } = service;
  const signal = AbortSignal.timeout(limits.answerMs);
  const headers = { ...further, authorization: token, accept: 'application/json' };
  try {
    let address = addressIn(service, path);
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(address, { headers, redirect: 'manual', signal });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) {
        const text = await boundedText(response, path, limits.bodyBytesMax);
        return { status: response.status, text, retryAfterMs: retryAfterIn(response) };
      }
      await response.body?.cancel();
      const next = URL.parse(location, address);
      if (next?.origin !== origin) throw new Problem(`${path}: the server leads to another one, which gets no token.`);
      if (redirects === redirectsMax) throw new Problem(`${path}: the server leads from one address to the next.`);
      address = next;
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    const words = signal.aborted ? `no answer within ${limits.answerMs / 1_000} s` : describeError(error);
    return { status: 0, text: `${origin} does not answer: ${words}.`, retryAfterMs: 0 };
  }
}

async function boundedText(response: Response, path: string, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new Problem(`${path}: the answer has more than ${bytesMax} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(
      `${path}: the answer is no JSON, so this is no Unleash server, or something stands in front of it.`,
    );
  }
}
