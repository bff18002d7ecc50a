import type { Token } from '../users/tokens.ts';

/**
 * Whether the store keeps the secrets of client tokens, and lists show them, as `READABLE_CLIENT_TOKENS` says. That is for
 * tools which find their token by its secret. Whoever may read the table or the lists can use these tokens then.
 */
export function keepsClientSecrets(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.READABLE_CLIENT_TOKENS === 'true';
}

/** The secret of a token that may be shown; a frontend token ships in pages, so that everybody may see it. */
export function readableSecretOf({ kind, secret }: Token): string | undefined {
  return kind === 'frontend' || keepsClientSecrets() ? secret : undefined;
}
