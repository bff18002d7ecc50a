import { setTimeout as sleep } from 'node:timers/promises';
import { insecureLocalToken } from '../local/insecure-token.ts';
import { Problem } from '../problem.ts';
import { retryAfterIn } from './retry-after.ts';
import { addressIn } from './service.ts';

/** The service, and the token that it is called with. */
export interface Source {
  readonly service: URL;
  readonly token: string;
}

interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number;
}

const attemptsMax = 6;
/** A server that counts requests usually does so by the minute. */
const attemptsMaxWhileBusy = 8;
const pauseMs = 500;
const answerMsMax = 60_000;

const notInsecure =
  'The insecure token of this machine is not accepted. Set FLAGSTAFF_TOKEN to one of your own: npm run --silent token -- --admin --name admin';

/**
 * Asks again while the service is busy or out of reach, as late as its `Retry-After` says.
 * @throws Problem where it stays so, or where the insecure token was tried and is refused.
 */
export async function askService(
  { service, token }: Source,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const address = addressIn(service, path);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await attemptToAsk(address, token, method, body);
    if (answer.status === 401 && token === insecureLocalToken) throw new Problem(notInsecure);
    const isShortLived = answer.status === 0 || answer.status === 429 || answer.status >= 500;
    if (!isShortLived) return answer;
    if (attempt === (answer.status === 429 ? attemptsMaxWhileBusy : attemptsMax)) throw new Problem(problemIn(answer));
    await sleep(Math.max(pauseMs * 2 ** (attempt - 1), answer.retryAfterMs));
  }
}

async function attemptToAsk(address: URL, token: string, method: string, body?: object): Promise<Answer> {
  try {
    const response = await fetch(address, {
      method,
      headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await response.text();
    return { status: response.status, body: parsed(text), retryAfterMs: retryAfterIn(response) };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    return { status: 0, body: { message: `${address.origin} does not answer: ${reason}` }, retryAfterMs: 0 };
  }
}

/** Parses the JSON of an answer; a proxy in between may answer anything. */
function parsed(text: string): unknown {
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

/** Describes the problem of a request, as an answer tells it: with a line for each of several. */
export function problemIn({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const { name, message = '', details = [] } = (body ?? {}) as ErrorBody;
  if (status === 0) return message;
  const lines = details.map(({ path, message: detail }) => (path === undefined ? detail : `${path}: ${detail}`));
  return [`${status} ${name === undefined ? '' : `${name}: `}${message}`, ...(lines.length > 1 ? lines : [])].join(
    '\n',
  );
}
