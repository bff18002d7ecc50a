import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { readLimit } from '../limits.ts';

/**
 * Returns the number of proxies in front of this service, from `TRUSTED_PROXIES`; 0 by default.
 * @throws Error if it is not a whole number up to 10.
 */
export function countTrustedProxies(environment: NodeJS.ProcessEnv = process.env): number {
  const { TRUSTED_PROXIES: proxies } = environment;
  return proxies === '0' ? 0 : (readLimit(environment, 'TRUSTED_PROXIES', 10) ?? 0);
}

/**
 * Returns the IP address of the caller; empty if unknown. Each proxy appends the address of its client to `X-Forwarded-For`. Callers
 * can write addresses there themselves, so only those that our own proxies appended count.
 */
export function callerAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const connected = requestContext?.http?.sourceIp ?? '';
  const proxies = countTrustedProxies();
  if (proxies === 0) return connected;
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  // API Gateway and the local server also append the address of their client; `sam local` does not.
  const all = forwarded.at(-1) === connected ? forwarded : [...forwarded, connected];
  const address = all.at(-1 - proxies) ?? '';
  return isIP(address) === 0 ? connected : address;
}
