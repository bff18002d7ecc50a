import { change } from '../entity/change.ts';
import { noEffects } from '../entity/effects.ts';
import { systemUser } from '../events/actor.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { loadTokens, type Token, tokens } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';

/**
 * Tells whether the store keeps the secrets of client tokens, and lists show them (`READABLE_CLIENT_TOKENS`). Some tools find their
 * token by its secret. Everybody who may read the store or the lists can then use these tokens.
 */
export function keepsClientSecrets(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.READABLE_CLIENT_TOKENS === 'true';
}

/** Returns the stored secret of a token if it may be shown; that of a frontend token is public anyway. */
export function readableSecretOf({ kind, secret }: Token): string | undefined {
  return kind === 'frontend' || keepsClientSecrets() ? secret : undefined;
}

/**
 * Removes the secrets of client tokens from the store. The tokens keep working by their hashes.
 * @returns the number of removed secrets.
 */
export async function forgetClientSecrets(request: Request): Promise<number> {
  const readable = (await loadTokens(request)).filter(({ kind, secret }) => kind === 'client' && secret !== undefined);
  for (const { hash } of readable) {
    await change(request, systemUser, {
      items: [tokenKeys.token(hash)],
      read: () => tokens.find(request, hash),
      revisionOf: () => undefined,
      decide: (before) => {
        if (before === undefined) return { ...noEffects, result: undefined };
        const { secret: _, ...token } = before.value;
        // Events do not show secrets, so they would show no change.
        return { writes: tokens.buildUpdateEffects(before, token).writes, events: [], result: undefined };
      },
    });
  }
  return readable.length;
}
