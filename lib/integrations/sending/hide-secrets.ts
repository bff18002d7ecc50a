import { masked, withoutSecrets } from '../addon-parameters.ts';
import type { Addon } from '../addons.ts';
import { headersIn, parameter } from './requests/outgoing.ts';

/** Shorter texts are no secrets, and could be a part of any word. */
const lengthMin = 5;

/** Returns the answer of a receiver without the secrets of the integration, which it may repeat. */
export function hideSecrets(addon: Addon, answer: string): string {
  const secrets = withoutSecrets(addon.provider, addon.parameters)
    .removed.flatMap((name) => partsOf(name, parameter(addon, name)))
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter(({ length }) => length >= lengthMin)
    // The whole goes before its parts.
    .toSorted((a, b) => b.length - a.length);
  return secrets.reduce((text, secret) => text.replaceAll(secret, masked), answer);
}

/** Length from which a part of a path may be a secret; shorter ones are words. */
const pathPartMin = 16;

/** Returns a secret and the parts of it that a receiver sees: of an address, of headers, a token without its scheme. */
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
