import { isIPv6 } from 'node:net';

/**
 * Returns the host name in a `Host` header, in lowercase and without the brackets of an IPv6 address; undefined unless
 * it is a host name with or without a port.
 */
export function hostNameIn(header: string): string | undefined {
  const [, address, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(header) ?? [];
  if (address !== undefined) return isIPv6(address) ? address.toLowerCase() : undefined;
  return name?.toLowerCase();
}
