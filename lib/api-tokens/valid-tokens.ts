import type { Table } from '../table/table.ts';
import { identify } from '../users/caller.ts';
import { wasKnown } from '../users/identity-memory.ts';
import { couldBeOfSdk, hashOf, type TokenScope } from '../users/token.ts';
import { scopeOf } from '../users/tokens.ts';
import { UnknownSecrets } from './unknown-secrets.ts';

interface ValidToken extends TokenScope {
  readonly token: string;
  readonly type: 'client' | 'frontend';
}

/** One for each open table. */
const memories = new WeakMap<Table['client'], UnknownSecrets>();

function unknownSecretsOf({ client }: Table): UnknownSecrets {
  const memory = memories.get(client) ?? new UnknownSecrets();
  memories.set(client, memory);
  return memory;
}

/**
 * Those of the secrets that are good tokens of SDKs, each once, with what they are for. Anybody may ask, so that the store
 * is asked only about what looks like one, and for a while not again about those that nobody has.
 * @throws ApiError 429 where too many are asked about that nobody has.
 */
export async function validTokensAmong(table: Table, secrets: readonly string[]): Promise<ValidToken[]> {
  const unknown = unknownSecretsOf(table);
  const asked = [...new Set(secrets)].filter(couldBeOfSdk);
  const found = await Promise.all(
    asked.map((secret) => {
      const [hash, find] = [hashOf(secret), () => identify(table, secret, { throughOutage: true })];
      return wasKnown(table, hash) ? find() : unknown.lookUp(hash, find);
    }),
  );
  return asked.flatMap((token, index) => {
    const known = found[index];
    const scope = known && scopeOf(known);
    return scope === undefined ? [] : [{ token, type: known?.kind === 'frontend' ? 'frontend' : 'client', ...scope }];
  });
}
