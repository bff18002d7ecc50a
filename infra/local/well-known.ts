import { isLoopback } from '../../lib/values/web-address.ts';
import { insecureLocalToken } from './insecure-token.ts';

/** Tokens from documentation and examples, ours and Unleash's. */
export const wellKnownSecrets: readonly string[] = [
  insecureLocalToken,
  ...['admin-api-token', 'api-token', 'client-api-token', 'frontend-api-token'].flatMap((name) =>
    ['*:*', '*:development', '*:production', 'default:development', 'default:production'].map(
      (scope) => `${scope}.unleash-insecure-${name}`,
    ),
  ),
];

const wellKnownPasswords: readonly string[] = ['unleash4all', 'admin', 'password'];

/** The settings that determine who can reach the server. */
export interface Reach {
  readonly host: string;
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly trustedProxies: number;
}

/** Tells whether others than programs on this machine can reach the server, directly or through a proxy. */
export function isExposed({ host, publicUrl, allowedHosts, trustedProxies }: Reach): boolean {
  const publicName = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return trustedProxies > 0 || ![host, publicName, ...allowedHosts].every(isLoopback);
}

/** Returns true for a public token: it is in an example, or has "insecure" in its secret. */
export function isWellKnownToken(token: string): boolean {
  return wellKnownSecrets.includes(token) || /insecure/i.test(token.slice(token.indexOf('.') + 1));
}

export function isWellKnownPassword(password: string): boolean {
  return wellKnownPasswords.includes(password.toLowerCase());
}
