import { createHash, randomBytes } from 'node:crypto';

/** An admin token acts as nobody in particular; a personal access token acts as its user. */
export type TokenKind = 'admin' | 'user';

const prefixes: Record<TokenKind, string> = { admin: '*:*.', user: 'user:' };

/** Longer than any secret is, and short enough that nobody can make us hash megabytes. */
const secretLengthMax = 512;

/** A new secret with 224 random bits, in Unleash's format for its kind. */
export function newSecret(kind: TokenKind): string {
  return prefixes[kind] + randomBytes(28).toString('hex');
}

/** Whether a text could be a token at all; the store is not asked about anything else. */
export function kindOf(secret: string): TokenKind | undefined {
  if (secret.length > secretLengthMax || !/^[\x21-\x7e]+$/.test(secret)) return undefined;
  return (Object.keys(prefixes) as TokenKind[]).find(
    (kind) => secret.startsWith(prefixes[kind]) && secret.length > prefixes[kind].length,
  );
}

/** What is stored of a secret. It has too many random bits to be guessed, so a plain hash protects it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The secret in an `Authorization` header: the token alone, or after `Bearer`. */
export function secretIn(header: string | undefined): string | undefined {
  return header?.replace(/^Bearer +/i, '');
}
