import { setTimeout as sleep } from 'node:timers/promises';
import { insecureLocalToken } from '../local/insecure-token.ts';
import { Problem } from '../problem.ts';
import { addressIn, retryAfterOf } from './service.ts';

/** A service, and the token for the requests to it. */
export interface Source {
  readonly service: URL;
  readonly token: string;
}

interface Answer {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number;
}

const maxAttempts = 6;
/** A server with a rate limit usually counts requests per minute. */
const maxAttemptsWhileBusy = 8;
const pauseMs = 500;
const timeoutMs = 60_000;

const insecureTokenRefused =
  'The service does not accept the insecure local token. Set FLAGSTAFF_TOKEN to a token of the service: npm run --silent token -- --admin --name admin';

/**
 * Sends a request, and repeats it while the service is busy or cannot be reached. Waits at least as long as `Retry-After` says.
 * @throws Problem if the service stays busy or unreachable, or refuses the insecure local token.
 */
export async function askService(
  { service, token }: Source,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const address = addressIn(service, path);
  for (let attempts = 1; ; attempts += 1) {
    const answer = await attempt(address, token, method, body);
    if (answer.status === 401 && token === insecureLocalToken) throw new Problem(insecureTokenRefused);
    const isTemporary = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!isTemporary) return answer;
    if (attempts === (answer.status === 429 ? maxAttemptsWhileBusy : maxAttempts)) throw new Problem(problemIn(answer));
    await sleep(Math.max(pauseMs * 2 ** (attempts - 1), answer.retryAfterMs));
  }
}

async function attempt(address: URL, token: string, method: string, body?: object): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method,
      headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text), retryAfterMs: retryAfterOf(response) };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return { status: 0, body: { message: `${address.origin} does not answer: ${reason}` }, retryAfterMs: 0 };
  }
}

/** Parses the JSON of an answer. A proxy may answer with any text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: text.slice(0, 500).trim() };
  }
}

interface ErrorBody {
  readonly name?: string;
  readonly message?: string;
  readonly details?: readonly { readonly path?: string; readonly message: string }[];
}

/** Returns the error in an answer as text, with a line for each of several problems. */
export function problemIn({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const { name, message = '', details = [] } = (body ?? {}) as ErrorBody;
  if (status === 0) return message;
  const lines = details.map(({ path, message: detail }) => (path === undefined ? detail : `${path}: ${detail}`));
  return [`${status} ${name === undefined ? '' : `${name}: `}${message}`, ...(lines.length > 1 ? lines : [])].join(
    '\n',
  );
}
