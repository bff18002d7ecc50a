import { identify } from '../people/rights/caller.ts';
import { wasKnown } from '../people/rights/identity-memory.ts';
import type { Request } from '../request.ts';
import { onceFor } from '../values/memory.ts';
import { couldBeOfSdk, hashOf, type TokenScope } from './token.ts';
import { scopeOf } from './tokens.ts';
import { UnknownSecrets } from './unknown-secrets.ts';

interface ValidToken extends TokenScope {
  readonly token: string;
  readonly type: 'client' | 'frontend';
}

/** Memories by open store. */
const unknownSecretsOf = onceFor((_: Request['store']) => new UnknownSecrets());

/**
 * Returns those of the secrets that are valid SDK tokens, each once, with their scope. Anybody may ask, so the store is
 * asked only about texts with the format of a token, and not again for a while about those that nobody has.
 * @throws ApiError 429 if too many unknown ones are asked about.
 */
export async function validTokensAmong(request: Request, secrets: readonly string[]): Promise<ValidToken[]> {
  const unknown = unknownSecretsOf(request.store);
  const asked = [...new Set(secrets)].filter(couldBeOfSdk);
  const found = await Promise.all(
    asked.map((secret) => {
      const [hash, find] = [hashOf(secret), () => identify(request, secret, { throughOutage: true })];
      return wasKnown(request, hash) ? find() : unknown.lookUp(hash, find);
    }),
  );
  return asked.flatMap((token, index) => {
    const known = found[index];
    const scope = known && scopeOf(known);
    return scope === undefined ? [] : [{ token, type: known?.kind === 'frontend' ? 'frontend' : 'client', ...scope }];
  });
}
