import { insecureLocalToken } from '../local/insecure-token.ts';
import { UsageError } from './command.ts';

/** The options by which a command says which service it means. */
export const serviceOptions = {
  url: { type: 'string', default: 'http://localhost:4242' },
  token: { type: 'string' },
} as const;

/** @throws UsageError where it is no address, or has a user name or a password: no request can be made to such a one. */
export function serviceUrl(text: string, option = '--url'): URL {
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
