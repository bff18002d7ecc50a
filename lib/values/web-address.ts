import { isIPv4 } from 'node:net';
import * as v from 'valibot';
import { text } from './primitives.ts';

/** Tells whether a host, by its name or address, is this machine to itself alone; an address of IPv6 may be in brackets. */
export function isLoopback(host: string): boolean {
  return /^(\[?::1\]?|(.+\.)?localhost)$/.test(host) || (isIPv4(host) && host.startsWith('127.'));
}

/** Tells whether a browser, or the service, may be sent to an address: with TLS, or on this machine. */
export function isWebAddress(address: string): boolean {
  // What a parser skips would still stand in a header.
  const url = /[\s\p{C}]/u.test(address) ? null : URL.parse(address);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
}

/** The address of a page elsewhere; blank for none. */
export const webAddress = v.pipe(
  text,
  v.check(
    (sent) => sent.trim() === '' || isWebAddress(sent),
    'An address that begins with https:// is required; http:// is for this machine only.',
  ),
);

/** Returns the base URL of this service that `PUBLIC_URL` states; undefined for none. */
export const statedUrl = (): string | undefined => process.env.PUBLIC_URL || undefined;
