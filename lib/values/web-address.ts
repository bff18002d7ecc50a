import * as v from 'valibot';
import { text } from './primitives.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Tells whether an address is of this machine, for trials: nothing leaves it. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return loopback.test(hostname);
}

/** Tells whether a browser, or the service, may be sent to an address: with TLS, or on this machine. */
export function isWebAddress(address: string): boolean {
  // What a parser skips would still stand in a header.
  const url = /[\s\p{C}]/u.test(address) ? null : URL.parse(address);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
}

/** The address of a page elsewhere; blank for none. */
export const webAddress = v.pipe(
  text,
  v.check(
    (sent) => sent.trim() === '' || isWebAddress(sent),
    'An address that begins with https:// is required; http:// is for this machine only.',
  ),
);
