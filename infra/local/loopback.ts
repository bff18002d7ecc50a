/** Whether the value of HOST, or of a `Host` header, names this machine to itself alone. */
export function isLoopback(host: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
  return name === '::1' || host === '::1' || /^(.+\.)?localhost$/.test(name) || /^127(\.\d{1,3}){3}$/.test(name);
}
