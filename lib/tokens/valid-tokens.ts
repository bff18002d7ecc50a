import { identify } from '../people/rights/caller.ts';
import { wasKnown } from '../people/rights/identity-memory.ts';
import type { Request } from '../request.ts';
import { couldBeOfSdk, hashOf, type TokenScope } from './token.ts';
import { scopeOf } from './tokens.ts';
import { UnknownSecrets } from './unknown-secrets.ts';

interface ValidToken extends TokenScope {
  readonly token: string;
  readonly type: 'client' | 'frontend';
}

/** One for each open table. */
const memories = new WeakMap<Request['store'], UnknownSecrets>();

function unknownSecretsOf({ store }: Request): UnknownSecrets {
  const memory = memories.get(store) ?? new UnknownSecrets();
  memories.set(store, memory);
  return memory;
}

/**
 * Those of the secrets that are good tokens of SDKs, each once, with what they are for. Anybody may ask, so that the store
 * is asked only about what looks like one, and for a while not again about those that nobody has.
 * @throws ApiError 429 where too many are asked about that nobody has.
 */
export async function validTokensAmong(request: Request, secrets: readonly string[]): Promise<ValidToken[]> {
  const unknown = unknownSecretsOf(request);
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
