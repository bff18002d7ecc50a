import { findRestoreState } from '../../lib/backup/restore-state.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { hasExpired } from '../../lib/identity/caller.ts';
import { hashOf } from '../../lib/identity/tokens/token.ts';
import { registerUnstoredToken, removeTokens, type Token, tokens } from '../../lib/identity/tokens/tokens.ts';
import type { Request } from '../../lib/request.ts';
import { hasChosenPassword } from '../../lib/sign-in/users-who-sign-in.ts';
import { isAwsEndpoint } from '../../lib/store/client/network.ts';
import * as keys from '../../lib/store/keys.ts';
import { insecureLocalToken } from './insecure-token.ts';
import { say } from './say.ts';
import type { LocalSettings } from './settings.ts';
import { isExposed, wellKnownSecrets } from './well-known.ts';

const hash = hashOf(insecureLocalToken);

/**
 * Accepts the insecure token while there are no other credentials: only on loopback addresses, without settings of tokens and
 * passwords, and while the store has no admin token and no password that somebody has chosen. The token is never stored.
 * @returns true if it is accepted now.
 */
export async function acceptLocalToken(table: Request, settings: LocalSettings, endpoint: string): Promise<boolean> {
  const { adminTokens, adminPassword, isRelay } = settings;
  const isPossible =
    adminTokens === undefined &&
    adminPassword === undefined &&
    !isRelay &&
    !isExposed(settings) &&
    !isAwsEndpoint(endpoint);
  const token: Token = { hash, kind: 'admin', name: 'admin', createdAt: new Date().toISOString() };
  const isAccepted = async (store: Request) => isPossible && (await hasNoCredentials(store));
  let wasReported = false;
  const find = async (store: Request) => {
    if ((await findRestoreState(store)) !== undefined) return undefined;
    if (await isAccepted(store)) return token;
    if (isPossible && !wasReported) say(refusal);
    wasReported = true;
    return undefined;
  };
  // The token is not stored, but a stored item must exist for each token: this one exists in every store in use.
  registerUnstoredToken(hash, { find, condition: { check: keys.seeded(), when: 'present' } });
  return isAccepted(table);
}

/** Explains why the insecure token stops working, which may happen in the middle of the tour. */
const refusal =
  'The insecure token is no longer accepted, since somebody has an admin token or a password now. ' +
  'To create your own token: npm run --silent token -- --admin --name admin';

async function hasNoCredentials(table: Request): Promise<boolean> {
  const all = await tokens.list(table);
  return !all.some((token) => token.kind === 'admin' && !hasExpired(token)) && !(await hasChosenPassword(table));
}

/**
 * Removes well-known tokens from a store: the insecure token, and on servers that others can reach also the tokens of other
 * examples.
 */
export async function removeWellKnown(table: Request, settings: LocalSettings, endpoint: string): Promise<void> {
  const secrets = isExposed(settings) || isAwsEndpoint(endpoint) ? wellKnownSecrets : [insecureLocalToken];
  const known = await Promise.all(secrets.map((secret) => tokens.find(table, hashOf(secret))));
  await removeTokens(
    table,
    systemUser,
    known.filter((token) => token !== undefined),
  );
}
