import { isIPv4 } from 'node:net';
import * as v from 'valibot';
import { text } from './primitives.ts';

/** Tells whether a host name or address is a loopback address. An IPv6 address may be in brackets. */
export function isLoopback(host: string): boolean {
  return /^(\[?::1\]?|(.+\.)?localhost)$/.test(host) || (isIPv4(host) && host.startsWith('127.'));
}

/** Tells whether an address is safe for redirects and requests: it uses TLS, or is on this machine. */
export function isWebAddress(address: string): boolean {
  // URL parsers skip white space and control characters, which would then be in a header.
  const url = /[\s\p{C}]/u.test(address) ? null : URL.parse(address);
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
}

/** The address of an external page, or blank. */
export const webAddress = v.pipe(
  text,
  v.check(
    (value) => value.trim() === '' || isWebAddress(value),
    'An address that begins with https:// is required; http:// is for this machine only.',
  ),
);

/** Reads the base URL of this service from `PUBLIC_URL`; undefined if it is not set. */
export const readPublicUrl = (): string | undefined => process.env.PUBLIC_URL || undefined;
