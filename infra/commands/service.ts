import { insecureLocalToken } from '../local/insecure-token.ts';
import { describeError, Problem } from '../problem.ts';
import { UsageError } from './command.ts';

/** The options of a command that select the service. */
export const serviceOptions = {
  url: { type: 'string' },
  token: { type: 'string' },
} as const;

/**
 * Returns the address of a service: that of the option, or that of PORT on this machine.
 * @throws UsageError if it is no http address, or has a user name or a password, which requests cannot have.
 */
export function serviceUrl(text = localAddress(), option = '--url'): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${option} must be an http or https address, not "${text}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${option} must not contain a user name or a password.`);
  }
  // SDKs are configured with this suffix, and so is the tour in the README.
  url.pathname = url.pathname.replace(/\/api\/admin\/?$/, '');
  return url;
}

/**
 * Returns the token in the environment, or on this machine the local token.
 * @throws UsageError if there is none.
 */
export function tokenFor({ hostname }: URL): string {
  const { FLAGSTAFF_TOKEN } = process.env;
  if (FLAGSTAFF_TOKEN) return FLAGSTAFF_TOKEN;
  // The local token is valid on this machine only, so it is not sent elsewhere.
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return insecureLocalToken;
  throw new UsageError('--token or the variable FLAGSTAFF_TOKEN is required.');
}

/** Returns the address of a path of a service. The service may have a base path itself. */
export function addressIn(service: URL, path: string): URL {
  return new URL(`${service.pathname.replace(/\/$/, '')}${path}`, service);
}

function localAddress(): string {
  const port = process.env.PORT || '4242';
  if (/^[1-9]\d{0,4}$/.test(port)) return `http://localhost:${port}`;
  throw new UsageError(`PORT is "${port}", which is not a port number. Name the address of the service with --url.`);
}

const timeoutMs = 10_000;

/**
 * Checks that a service answers, before a command does long work that would be lost.
 * @throws Problem if nothing answers.
 */
export async function assertAnswers(service: URL): Promise<void> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(addressIn(service, '/health'), { redirect: 'manual', signal });
    await answer.body?.cancel();
  } catch (error) {
    throw new Problem(
      `Nothing answers at ${service.origin} (${describeError(error)}): start the service, or set its address with --url.`,
    );
  }
}

const maxRetryAfterMs = 300_000;

/** Returns the milliseconds of a header `Retry-After`, which has seconds or a date (RFC 9110, section 10.2.3); at most 5 minutes. */
export function retryAfterOf({ headers }: Response): number {
  const text = headers.get('retry-after');
  if (text === null) return 0;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), maxRetryAfterMs) : 0;
}
