import type { Table } from '../table/table.ts';
import { identify } from '../users/caller.ts';
import type { TokenScope } from '../users/token.ts';
import { scopeOf } from '../users/tokens.ts';

interface ValidToken extends TokenScope {
  readonly token: string;
  readonly type: 'client' | 'frontend';
}

/** Those of the secrets that are good tokens of SDKs, each once, with what they are for. */
export async function validTokensAmong(table: Table, secrets: readonly string[]): Promise<ValidToken[]> {
  const distinct = [...new Set(secrets)];
  const found = await Promise.all(distinct.map((secret) => identify(table, secret, { throughOutage: true })));
  return distinct.flatMap((token, index) => {
    const known = found[index];
    const scope = known && scopeOf(known);
    return scope === undefined ? [] : [{ token, type: known?.kind === 'frontend' ? 'frontend' : 'client', ...scope }];
  });
}
