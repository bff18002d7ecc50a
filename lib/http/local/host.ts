import { isIPv6 } from 'node:net';

/**
 * The host name in a `Host` header, in small letters and without the brackets of an address of version 6; undefined for
 * what is no host name with or without a port.
 */
export function hostNameIn(header: string): string | undefined {
  const [, address, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(header) ?? [];
  if (address !== undefined) return isIPv6(address) ? address.toLowerCase() : undefined;
  return name?.toLowerCase();
}
