import type { Request } from '../../request.ts';
import type { Standing } from '../../store/transactions/authority.ts';
import type { Token } from './tokens.ts';

/** A token that this process accepts, or refuses, whatever its store holds: that of the local server. */
export interface UnstoredToken {
  /** The token, while it is accepted. */
  find(request: Request): Promise<Token | undefined>;
  /** The condition under which it changes who may do what. */
  readonly standing: Standing;
}

const unstored = new Map<string, UnstoredToken>();

/** Takes the say about a token from the store, for as long as this process lives. */
export function keepUnstored(hash: string, token: UnstoredToken): void {
  unstored.set(hash, token);
}

/** Returns the token of a hash, if it is one that the store does not hold. */
export function unstoredToken(hash: string): UnstoredToken | undefined {
  return unstored.get(hash);
}
