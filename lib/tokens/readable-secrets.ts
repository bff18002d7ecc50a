import { change } from '../entity/change.ts';
import { noEffects } from '../entity/step.ts';
import { systemUser } from '../events/actor.ts';
import * as tokenKeys from '../identity/tokens/keys.ts';
import { loadTokens, type Token, tokens } from '../identity/tokens/tokens.ts';
import type { Request } from '../request.ts';

/**
 * Tells whether the store keeps the secrets of client tokens, and lists show them, as `READABLE_CLIENT_TOKENS` says.
 * Some tools find their token by its secret. Everybody who may read the store or the lists can then use these tokens.
 */
export function keepsClientSecrets(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.READABLE_CLIENT_TOKENS === 'true';
}

/** Returns the secret of a token if it may be shown; a frontend token ships in pages, so that everybody may see it. */
export function readableSecretOf({ kind, secret }: Token): string | undefined {
  return kind === 'frontend' || keepsClientSecrets() ? secret : undefined;
}

/**
 * Removes the secrets of client tokens from the store, where their hashes are enough to go on working.
 * @returns the number of secrets removed.
 */
export async function forgetClientSecrets(request: Request): Promise<number> {
  const readable = (await loadTokens(request)).filter(({ kind, secret }) => kind === 'client' && secret !== undefined);
  for (const { hash } of readable) {
    await change(request, systemUser, {
      of: [tokenKeys.token(hash)],
      read: () => tokens.find(request, hash),
      revisionOf: () => undefined,
      decide: (found) => {
        if (found === undefined) return { ...noEffects, result: undefined };
        const { secret: _, ...token } = found.value;
        // Events never showed the secret, so that there is nothing to say.
        return { writes: tokens.updated(found, token).writes, events: [], result: undefined };
      },
    });
  }
  return readable.length;
}
