import { randomBytes } from 'node:crypto';
import { noEffects } from '../../entity/effects.ts';
import { ApiError, notFound } from '../../errors.ts';
import { permitForOwnData } from '../../events/actor.ts';
import { authorNameOf, type User, users } from '../../identity/users.ts';
import { loadScimLocks } from '../../people/scim-locks.ts';
import type { Request } from '../../request.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { sha256 } from '../../values/sha256.ts';
import { networkOf } from '../attempts.ts';
import { buildClaimEnd } from '../own-address.ts';
import { withHashingSlot } from './hashing-slots.ts';
import { setPassword } from './passwords.ts';
import { buildRecordChange, findUserId, loadRecord, type SignInRecord, type StoredLink } from './records.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The time for a new user to choose a first password. */
const firstPasswordMs = 7 * dayMs;
const resetMs = dayMs;

/** The format of a link's secret: a user id, and 256 random bits. */
const form = /^([1-9]\d{0,15})\.[\w-]{43}$/;

/** The secret of a link, and its stored part. */
interface NewLink {
  readonly secret: string;
  readonly stored: StoredLink;
}

/** Returns a function that creates the link of a user; the random part is always the same. */
function createLinkMaker(lifetimeMs: number): (userId: number) => NewLink {
  const random = randomBytes(32).toString('base64url');
  const linkExpiresAt = new Date(Date.now() + lifetimeMs).toISOString();
  return (userId) => {
    const secret = `${userId}.${random}`;
    return { secret, stored: { linkHash: sha256(secret), linkExpiresAt } };
  };
}

/** Returns a function that creates the link with which a new user chooses a first password within a week. */
export function createFirstLinkMaker(): (userId: number) => NewLink {
  return createLinkMaker(firstPasswordMs);
}

/** The maximum number of mailed links that a user can have open. A further one replaces none of them. */
const maxMailed = 10;

/** A new link and its user. */
interface MadeLink {
  readonly user: User;
  readonly secret: string;
}

/**
 * Creates the link with which a user chooses a new password. It replaces an earlier one that an administrator created. Until it is
 * used, nothing else changes.
 * @param name the user name or e-mail address.
 * @throws ApiError 404 for an unknown user; 403 if a directory manages the user.
 */
export async function makeLink(request: Request, name: string): Promise<MadeLink> {
  return storeLink(request, name, (before, stored) => ({ ...before, ...stored }));
}

/**
 * Creates a link like `makeLink`, when anyone asks for a mail to the user. It replaces no other link.
 * @throws ApiError 404 for an unknown user; 403 if a directory manages the user; 429 if the user has ten open links of this kind.
 */
export async function makeMailedLink(request: Request, name: string): Promise<MadeLink> {
  return storeLink(request, name, (before, stored) => {
    const open = before.mailedLinks?.filter(isOpen) ?? [];
    if (open.length >= maxMailed) throw new ApiError('TooManyRequests', `At most ${maxMailed} mailed links are open.`);
    return { ...before, mailedLinks: [...open, stored] };
  });
}

async function storeLink(
  request: Request,
  name: string,
  withLink: (before: SignInRecord, stored: StoredLink) => SignInRecord,
): Promise<MadeLink> {
  const userId = await findUserId(request, name);
  if (userId === undefined) throw notFound('user', name);
  const { secret, stored } = createLinkMaker(resetMs)(userId);
  return retryLostRaces(request, async () => {
    const [record, user, { assertMayGetPassword }] = await Promise.all([
      loadRecord(request, userId),
      users.find(request, userId),
      loadScimLocks(request),
    ]);
    if (user === undefined) throw notFound('user', name);
    assertMayGetPassword(user.value);
    const { version: _, ...before } = record;
    // If the address changes meanwhile, the link would go to the old one.
    const isUnchanged: Write = { check: users.keyOf(userId), when: { version: user.version } };
    const result = { user: user.value, secret };
    await transact(request, [isUnchanged, buildRecordChange(userId, record, withLink(before, stored))], result);
    return result;
  });
}

/**
 * Returns the user of a link.
 * @throws ApiError 401 for a link that was used, has expired or is unknown; 403 if a directory manages the user.
 */
export async function userOfLink(request: Request, secret: string): Promise<User> {
  const userId = Number(form.exec(secret)?.[1] ?? 0);
  const [record, user, { assertMayGetPassword }] = await Promise.all([
    loadRecord(request, userId),
    users.find(request, userId),
    loadScimLocks(request),
  ]);
  assertOpen(record, secret);
  if (user === undefined) throw badLink();
  assertMayGetPassword(user.value);
  return user.value;
}

/**
 * Sets the password that the user of a link has chosen, and ends their sessions. The link works once. A link that was mailed proves that
 * the address is the user's own.
 * @param address the address of the caller.
 * @throws ApiError 400 for a weak password; 401 for a link that was used, has expired or is unknown; and the errors of
 * `withHashingSlot`.
 */
export async function choosePassword(
  request: Request,
  secret: string,
  password: string,
  address: string,
): Promise<void> {
  await withHashingSlot(networkOf(address), async () => {
    const user = await userOfLink(request, secret);
    await setPassword(request, permitForOwnData({ id: user.id, name: authorNameOf(user) }), user.id, password, {
      isWanted(record) {
        assertOpen(record, secret);
        return true;
      },
      async loadEffects({ mailedLinks = [] }) {
        const isMailed = mailedLinks.some(({ linkHash }) => linkHash === sha256(secret));
        return isMailed ? buildClaimEnd(request, user.id) : noEffects;
      },
    });
  });
}

function assertOpen({ linkHash = '', linkExpiresAt = '', mailedLinks = [] }: SignInRecord, secret: string): void {
  const hash = sha256(secret);
  const link = [{ linkHash, linkExpiresAt }, ...mailedLinks].find((candidate) => candidate.linkHash === hash);
  if (link === undefined || !isOpen(link)) throw badLink();
}

function isOpen({ linkExpiresAt }: StoredLink): boolean {
  return Date.parse(linkExpiresAt) > Date.now();
}

function badLink(): ApiError {
  return new ApiError('InvalidTokenError', 'This link is no longer valid; ask for a new one.');
}
