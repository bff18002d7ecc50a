import { isIPv4 } from 'node:net';

/** Tells whether the value of HOST, or the name in a `Host` header, names this machine to itself alone. */
export function isLoopback(name: string): boolean {
  return name === '::1' || /^(.+\.)?localhost$/.test(name) || (isIPv4(name) && name.startsWith('127.'));
}

/**
 * Tells whether the name in a `Host` header names this machine or one of its own network. A name that a stranger could
 * register, and point here, has a dot (RFC 7085).
 */
export function isLocalName(name: string): boolean {
  return isLoopback(name) || /^[\w-]+$/.test(name);
}
