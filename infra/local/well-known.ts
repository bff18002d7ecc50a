import { isLoopback } from '../../lib/values/web-address.ts';
import { insecureLocalToken } from './insecure-token.ts';
import type { LocalSettings } from './settings.ts';

/** Tokens that stand in documentation and examples, ours and Unleash's. */
export const wellKnownSecrets: readonly string[] = [
  insecureLocalToken,
  ...['admin-api-token', 'api-token', 'client-api-token', 'frontend-api-token'].flatMap((name) =>
    ['*:*', '*:development', '*:production', 'default:development', 'default:production'].map(
      (scope) => `${scope}.unleash-insecure-${name}`,
    ),
  ),
];

const wellKnownPasswords: readonly string[] = ['unleash4all', 'admin', 'password'];

/** The settings that tell where the server is reached. */
export type Reach = Pick<LocalSettings, 'host' | 'publicUrl' | 'allowedHosts' | 'trustedProxies'>;

/** Tells whether others than programs on this machine can reach the server, be it by what stands in front of it. */
export function isExposed({ host, publicUrl, allowedHosts, trustedProxies }: Reach): boolean {
  const publicName = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');
  return trustedProxies > 0 || ![host, publicName, ...allowedHosts].every(isLoopback);
}

/** Tells whether everybody can look a token up: it is in an example, or calls itself insecure. */
export function isWellKnownToken(token: string): boolean {
  return wellKnownSecrets.includes(token) || /insecure/i.test(token.slice(token.indexOf('.') + 1));
}

export function isWellKnownPassword(password: string): boolean {
  return wellKnownPasswords.includes(password.toLowerCase());
}
