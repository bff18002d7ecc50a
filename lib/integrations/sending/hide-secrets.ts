import { masked, withoutSecrets } from '../addon-parameters.ts';
import type { Addon } from '../addon-schema.ts';
import { headersIn, parameter } from './requests/outgoing.ts';

/** Shorter texts are no secrets and could be parts of words. */
const lengthMin = 5;

/** Returns the answer of a receiver without the secrets of the integration, since receivers may repeat them. */
export function hideSecrets(addon: Addon, answer: string): string {
  const secrets = withoutSecrets(addon.provider, addon.parameters)
    .removed.flatMap((name) => partsOf(name, parameter(addon, name)))
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter(({ length }) => length >= lengthMin)
    // A whole secret is replaced before its parts.
    .toSorted((a, b) => b.length - a.length);
  return secrets.reduce((text, secret) => text.replaceAll(secret, masked), answer);
}

/** The least characters of a path segment that may be a secret; shorter ones are words. */
const pathPartMin = 16;

/** Returns a secret and its parts that a receiver sees: parts of an address, headers, a token without its scheme. */
function partsOf(name: string, value: string): string[] {
  const url = URL.parse(value);
  if (url !== null) {
    const { href, pathname, search, searchParams } = url;
    const longParts = pathname.split('/').filter(({ length }) => length >= pathPartMin);
    return [value, href, `${pathname}${search}`, pathname, ...longParts, ...searchParams.values()];
  }
  const headers = name === 'customHeaders' ? Object.values(headersIn(value) ?? {}) : [];
  return [value, ...headers].flatMap((text) => [text, ...text.split(/\s+/)]);
}
