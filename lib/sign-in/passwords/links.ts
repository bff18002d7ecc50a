import { randomBytes } from 'node:crypto';
import { noEffects } from '../../entity/effects.ts';
import { ApiError, notFound } from '../../errors.ts';
import { permitForOwnData } from '../../events/actor.ts';
import { authorNameOf, type User, users } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { sha256 } from '../../values/sha256.ts';
import { networkOf } from '../attempts.ts';
import { findUserId } from '../find-user.ts';
import { claimEnded } from '../own-address.ts';
import { withHashingPlace } from './hashing-places.ts';
import { setPassword } from './passwords.ts';
import { type KeptLink, loadRecord, recordChanged, type SignInRecord } from './records.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Time that a new user has to choose a first password. */
const firstPasswordMs = 7 * dayMs;
const resetMs = dayMs;

/** Format of a link's secret: a user id, and 256 random bits. */
const form = /^([1-9]\d{0,15})\.[\w-]{43}$/;

/** Link: its secret, and its stored part. */
interface NewLink {
  readonly secret: string;
  readonly kept: KeptLink;
}

/** Makes a link, each time the same one of a user. */
function linkMaker(lifetimeMs: number): (userId: number) => NewLink {
  const random = randomBytes(32).toString('base64url');
  const linkExpiresAt = new Date(Date.now() + lifetimeMs).toISOString();
  return (userId) => {
    const secret = `${userId}.${random}`;
    return { secret, kept: { linkHash: sha256(secret), linkExpiresAt } };
  };
}

/** Makes the link by which a new user chooses their first password; it is good for a week. */
export function firstLinkMaker(): (userId: number) => NewLink {
  return linkMaker(firstPasswordMs);
}

/** Most links mailed to a user that may be open at a time; a further one replaces none of them. */
const mailedMax = 10;

/** Link that was made, and its user. */
interface MadeLink {
  readonly user: User;
  readonly secret: string;
}

/**
 * Makes the link by which a user chooses another password, in the place of an earlier one that was made for them. Until
 * it is used, nothing else changes.
 * @param name their user name or e-mail address.
 * @throws ApiError 404 for an unknown user.
 */
export async function makeLink(request: Request, name: string): Promise<MadeLink> {
  return keepLink(request, name, (before, kept) => ({ ...before, ...kept }));
}

/**
 * Makes a link as `makeLink` does, for anybody who asks for a mail to the user: it ends no other link.
 * @throws ApiError 404 for an unknown user; 429 if ten such links, all mailed to them, are open.
 */
export async function makeMailedLink(request: Request, name: string): Promise<MadeLink> {
  return keepLink(request, name, (before, kept) => {
    const open = before.mailedLinks?.filter(isOpen) ?? [];
    if (open.length >= mailedMax) throw new ApiError('TooManyRequests', `At most ${mailedMax} mailed links are open.`);
    return { ...before, mailedLinks: [...open, kept] };
  });
}

async function keepLink(
  request: Request,
  name: string,
  withLink: (before: SignInRecord, kept: KeptLink) => SignInRecord,
): Promise<MadeLink> {
  const userId = await findUserId(request, name);
  if (userId === undefined) throw notFound('user', name);
  const { secret, kept } = linkMaker(resetMs)(userId);
  return retryLostRaces(request, async () => {
    const [record, user] = await Promise.all([loadRecord(request, userId), users.find(request, userId)]);
    if (user === undefined) throw notFound('user', name);
    const { version: _, ...before } = record;
    // With another address, it would go to the one before.
    const isSame: Write = { check: users.keyOf(userId), when: { version: user.version } };
    const result = { user: user.value, secret };
    await transact(request, [isSame, recordChanged(userId, record, withLink(before, kept))], result);
    return result;
  });
}

/**
 * Returns the user who may choose a password by a link.
 * @throws ApiError 401 for a link that was used, has expired or is unknown.
 */
export async function userOfLink(request: Request, secret: string): Promise<User> {
  const userId = Number(form.exec(secret)?.[1] ?? 0);
  const [record, user] = await Promise.all([loadRecord(request, userId), users.find(request, userId)]);
  assertOpen(record, secret);
  if (user === undefined) throw badLink();
  return user.value;
}

/**
 * Gives the user of a link the password that they have chosen, and ends their sessions. The link works once. One that was
 * mailed proves that the address is theirs.
 * @param address address of the caller.
 * @throws ApiError 400 for a weak password; 401 if the link was used, has expired or is none; and as `withHashingPlace`.
 */
export async function choosePassword(
  request: Request,
  secret: string,
  password: string,
  address: string,
): Promise<void> {
  await withHashingPlace(networkOf(address), async () => {
    const user = await userOfLink(request, secret);
    await setPassword(request, permitForOwnData({ id: user.id, name: authorNameOf(user) }), user.id, password, {
      isWanted(record) {
        assertOpen(record, secret);
        return true;
      },
      async also({ mailedLinks = [] }) {
        const isMailed = mailedLinks.some(({ linkHash }) => linkHash === sha256(secret));
        return isMailed ? claimEnded(request, user.id) : noEffects;
      },
    });
  });
}

function assertOpen({ linkHash = '', linkExpiresAt = '', mailedLinks = [] }: SignInRecord, secret: string): void {
  const hash = sha256(secret);
  const found = [{ linkHash, linkExpiresAt }, ...mailedLinks].find((each) => each.linkHash === hash);
  if (found === undefined || !isOpen(found)) throw badLink();
}

function isOpen({ linkExpiresAt }: KeptLink): boolean {
  return Date.parse(linkExpiresAt) > Date.now();
}

function badLink(): ApiError {
  return new ApiError('InvalidTokenError', 'This link is no longer valid; ask for a new one.');
}
