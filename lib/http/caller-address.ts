import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readLimit } from '../limits.ts';

/**
 * Returns the number of proxies between callers and this service: `TRUSTED_PROXIES`, none by default.
 * @throws Error if it is no whole number up to 10.
 */
export function countTrustedProxies(environment: NodeJS.ProcessEnv = process.env): number {
  const { TRUSTED_PROXIES: proxies } = environment;
  return proxies === '0' ? 0 : (readLimit(environment, 'TRUSTED_PROXIES', 10) ?? 0);
}

/**
 * Returns the IP address of the caller, empty if unknown. Each proxy adds the address that has called it to
 * `X-Forwarded-For`, behind what callers may have written there themselves: only those of our own count.
 */
export function callerAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const connected = requestContext?.http?.sourceIp ?? '';
  const proxies = countTrustedProxies();
  if (proxies === 0) return connected;
  const passedOn = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  // API Gateway and the local server add what has called them, too; `sam local` does not.
  const all = passedOn.at(-1) === connected ? passedOn : [...passedOn, connected];
  const address = all.at(-1 - proxies) ?? '';
  return isIP(address) === 0 ? connected : address;
}
