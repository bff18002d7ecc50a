import { itemKey, type Partition } from '../../store/client/definition.ts';

/* The keys and lists of tokens. */

/** Tokens are spread over partitions by the first digit of their hash, so that many guesses do not slow one down. */
const tokenShard = (hash: string) => `TOKENS#${hash.slice(0, 1)}`;
export const token = (hash: string) => itemKey(tokenShard(hash), hash);
export const tokens = (): Partition[] => [...'0123456789abcdef'].map((digit) => ({ pk: tokenShard(digit) }));
/** The token of an Edge for a hash of its scope. */
export const edgeToken = (client: string, scope: string) => itemKey(`EDGE_TOKENS#${client}`, scope);
/** The recent calls of an agent that change proposals, by the hash of its token. */
export const agentChanges = (hash: string) => itemKey(`ATTEMPTS#${hash}`, 'AGENT');
