import { insecureLocalToken } from '../local/insecure-token.ts';
import { describeError, Problem } from '../problem.ts';
import { UsageError } from './command.ts';

/** The options by which a command says which service it means. */
export const serviceOptions = {
  url: { type: 'string' },
  token: { type: 'string' },
} as const;

/**
 * Returns the address of a service: that of an option, or else of the one at PORT of this machine.
 * @throws UsageError where it is no address, or has a user name or a password: no request can be made to such a one.
 */
export function serviceUrl(text = localAddress(), option = '--url'): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${option} must be an address, not "${text}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${option} must not contain a user name or a password.`);
  }
  // Clients know the service by this address, and the tour of the README sets it as one, too.
  url.pathname = url.pathname.replace(/\/api\/admin\/?$/, '');
  return url;
}

/**
 * The token of the environment, or on this machine the local one.
 * @throws UsageError where there is none.
 */
export function tokenFor({ hostname }: URL): string {
  const { FLAGSTAFF_TOKEN } = process.env;
  if (FLAGSTAFF_TOKEN) return FLAGSTAFF_TOKEN;
  // The local token opens nothing elsewhere, and what opens nothing need not travel.
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return insecureLocalToken;
  throw new UsageError('--token or the variable FLAGSTAFF_TOKEN is required.');
}

/** The address of a path of a service, which may itself live below a path of its host. */
export function addressIn(service: URL, path: string): URL {
  return new URL(`${service.pathname.replace(/\/$/, '')}${path}`, service);
}

function localAddress(): string {
  const port = process.env.PORT || '4242';
  if (/^[1-9]\d{0,4}$/.test(port)) return `http://localhost:${port}`;
  throw new UsageError(`PORT is "${port}", which is no port to ask: name the address of the service with --url.`);
}

const answerMsMax = 10_000;

/**
 * Asks a service for a sign of life, so that a command which has much to do before it needs the service does not do it for
 * nothing.
 * @throws Problem where nothing answers.
 */
export async function assertAnswers(service: URL): Promise<void> {
  try {
    const signal = AbortSignal.timeout(answerMsMax);
    const answer = await fetch(addressIn(service, '/health'), { redirect: 'manual', signal });
    await answer.body?.cancel();
  } catch (error) {
    throw new Problem(
      `Nothing answers at ${service.origin} (${describeError(error)}): start the service, or name its address with --url.`,
    );
  }
}
