import { isLoopback } from '../../lib/values/web-address.ts';

/**
 * Tells whether the name in a `Host` header names this machine or one of its own network. A name that a stranger could
 * register, and point here, has a dot (RFC 7085).
 */
export function isLocalName(name: string): boolean {
  return isLoopback(name) || /^[\w-]+$/.test(name);
}
