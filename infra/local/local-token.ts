import { findRestoreState } from '../../lib/backup/restore-state.ts';
import { systemUser } from '../../lib/events/actor.ts';
import { hasExpired } from '../../lib/identity/caller.ts';
import { hashOf } from '../../lib/identity/tokens/token.ts';
import { registerUnstoredToken, removeTokens, type Token, tokens } from '../../lib/identity/tokens/tokens.ts';
import type { Request } from '../../lib/request.ts';
import { hasChosenPassword } from '../../lib/sign-in/users-who-sign-in.ts';
import { isCloud } from '../../lib/store/client/network.ts';
import * as keys from '../../lib/store/keys.ts';
import { insecureLocalToken } from './insecure-token.ts';
import { say } from './say.ts';
import type { LocalSettings } from './settings.ts';
import { isExposed, wellKnownSecrets } from './well-known.ts';

const hash = hashOf(insecureLocalToken);

/**
 * Accepts the insecure token as long as nobody has a credential of their own: on loopback addresses only, without settings
 * that name one, and while the store has no admin token and no password that somebody has chosen. The store never holds it.
 * @returns whether it is accepted now.
 */
export async function acceptLocalToken(table: Request, settings: LocalSettings, endpoint: string): Promise<boolean> {
  const { adminTokens, adminPassword, isRelay } = settings;
  const mayBe =
    adminTokens === undefined && adminPassword === undefined && !isRelay && !isExposed(settings) && !isCloud(endpoint);
  const token: Token = { hash, kind: 'admin', name: 'admin', createdAt: new Date().toISOString() };
  const isAccepted = async (store: Request) => mayBe && (await hasNoCredentials(store));
  let isRefusalSaid = false;
  const find = async (store: Request) => {
    if ((await findRestoreState(store)) !== undefined) return undefined;
    if (await isAccepted(store)) return token;
    if (mayBe && !isRefusalSaid) say(refusal);
    isRefusalSaid = true;
    return undefined;
  };
  // It is not in the store, as every store in use is.
  registerUnstoredToken(hash, { find, condition: { check: keys.seeded(), when: 'present' } });
  return isAccepted(table);
}

/** Says why the insecure token stops working, which may happen in the middle of the tour. */
const refusal =
  'The insecure token is refused, since somebody has an admin token or a password of their own by now. ' +
  'A token of your own: npm run --silent token -- --admin --name admin';

async function hasNoCredentials(table: Request): Promise<boolean> {
  const all = await tokens.list(table);
  return !all.some((each) => each.kind === 'admin' && !hasExpired(each)) && !(await hasChosenPassword(table));
}

/**
 * Takes out of a store what everybody knows: the insecure token, and beyond loopback
 * addresses what other examples name.
 */
export async function removeWellKnown(table: Request, settings: LocalSettings, endpoint: string): Promise<void> {
  const secrets = isExposed(settings) || isCloud(endpoint) ? wellKnownSecrets : [insecureLocalToken];
  const found = await Promise.all(secrets.map((secret) => tokens.find(table, hashOf(secret))));
  await removeTokens(
    table,
    systemUser,
    found.filter((each) => each !== undefined),
  );
}
