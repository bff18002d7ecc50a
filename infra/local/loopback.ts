/** Whether the value of HOST, or of a `Host` header, names this machine to itself alone. */
export function isLoopback(host: string): boolean {
  const name = withoutPort(host).replace(/^\[(.*)\]$/, '$1');
  return name === '::1' || /^(.+\.)?localhost$/.test(name) || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * Whether a `Host` header names this machine or one of its own network. A name that a stranger could register, and point
 * here, has a dot (RFC 7085).
 */
export function isLocalName(host: string): boolean {
  return isLoopback(host) || /^[\w-]+$/.test(withoutPort(host));
}

/** The host name in a `Host` header, in lower case. An address of version 6 has brackets where a port may follow. */
export function withoutPort(host: string): string {
  return (host === '::1' ? host : host.replace(/:\d*$/, '')).toLowerCase();
}
