import { change } from '../entity/change.ts';
import { type Entity, nameTaken } from '../entity/entity.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Caller } from '../identity/caller.ts';
import { makeSecret } from '../identity/tokens/token.ts';
import {
  buildToken,
  buildTokenCreation,
  loadTokensOfUser,
  removeToken,
  type Token,
  touchOwner,
} from '../identity/tokens/tokens.ts';
import { type User, users } from '../identity/users.ts';
import { assertRoom } from '../limits.ts';
import type { Pat } from '../people/user-schema.ts';
import type { Request } from '../request.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';

/** Most personal access tokens that a user may have. */
const patsMax = 100;

/** Time that stands for never, since clients insist on one. */
const endOfTime = '9999-12-31T23:59:59.999Z';

interface NewPat {
  readonly description: string;
  readonly expiresAt: string;
}

/** Lists the personal access tokens of a user, oldest first. */
export async function listPats(request: Request, userId: number): Promise<Pat[]> {
  return (await loadTokensOfUser(request, userId)).map(({ value }) => patOf(value));
}

/**
 * Makes a token that acts as its user; only the result shows its secret.
 * @throws ApiError 403 if the caller is no user; 409 if a token of theirs has the description; 400 if it has expired
 * already, if it would outlive the token that makes it, or if they have too many.
 */
export async function createPat(
  request: Request,
  { tokenExpiresAt, ...actor }: Actor & Pick<Caller, 'tokenExpiresAt'>,
  input: NewPat,
): Promise<NewSecret> {
  assertUser(actor);
  // A token that leaks is of use for as long as it says, and no longer.
  if (tokenExpiresAt !== undefined && Date.parse(input.expiresAt) > Date.parse(tokenExpiresAt)) {
    throw invalid(
      `A token must not outlive the token that creates it, which expires at ${tokenExpiresAt}.`,
      'expiresAt',
    );
  }
  const load = async () => {
    const user = await users.find(request, actor.id);
    if (user === undefined) throw notAUser('a service account');
    return user;
  };
  return createPatOf(request, actor, { load, keyOf: users.keyOf }, actor.id, input);
}

type NewSecret = Pat & { readonly secret: string };

/** Store of those who can have tokens that act as them. */
type Owners = Pick<Entity<User, number>, 'load' | 'keyOf'>;

/**
 * Makes a token that acts as its owner; the result is the only place that shows its secret.
 * @throws ApiError 404 for an unknown owner; 409 if a token of theirs has the description; 400 if it has
 * expired already, or they have too many.
 */
export function createPatOf(
  request: Request,
  actor: Actor & Pick<Caller, 'tokenMadeBy'>,
  { load, keyOf }: Owners,
  ownerId: number,
  { description, expiresAt }: NewPat,
): Promise<NewSecret> {
  if (Date.parse(expiresAt) <= Date.now()) throw invalid('A token must expire in the future.');
  const secret = makeSecret('user');
  const maker = actor.tokenMadeBy ?? actor.id;
  const madeBy = maker > 0 && maker !== ownerId ? maker : undefined;
  return change(request, actor, {
    of: [keyOf(ownerId)],
    read: () =>
      Promise.all([
        load(request, ownerId),
        loadTokensOfUser(request, ownerId),
        raiseCounter(request, keys.counter('personal-token'), 1),
      ]),
    revisionOf: () => undefined,
    decide: ([owner, others, number], at) => {
      if (others.some(({ value }) => descriptionOf(value) === description)) {
        throw nameTaken('personal access token', 'description', description);
      }
      assertRoom(others.length, patsMax, 'tokens of one user');
      const wanted = {
        kind: 'user' as const,
        user: owner.value,
        description,
        number,
        madeBy,
        expiresAt: new Date(expiresAt),
      };
      const token = buildToken(secret, wanted, at);
      const { writes, events } = buildTokenCreation(token);
      return {
        writes: [...writes, touchOwner(keyOf(ownerId), { version: owner.version })],
        events,
        result: { ...patOf(token), secret },
      };
    },
  });
}

/**
 * Deletes a token of the user; processes that have seen it lately trust it for a few seconds more (see
 * `identityTrustMs`).
 * @throws ApiError 403 if the caller is no user; 404 if no token of theirs has the id.
 */
export async function deletePat(request: Request, actor: Actor, id: number): Promise<void> {
  assertUser(actor);
  await removeToken(request, actor, () => findPat(request, actor.id, id));
}

/**
 * Deletes a token of an owner; processes that have seen it lately trust it for a few seconds more (see
 * `identityTrustMs`).
 * @throws ApiError 404 for an unknown owner, or if no token of theirs has the id.
 */
export async function deletePatOf(request: Request, actor: Actor, { load }: Owners, ownerId: number, id: number) {
  await removeToken(request, actor, async () => {
    const [found] = await Promise.all([findPat(request, ownerId, id), load(request, ownerId)]);
    return found;
  });
}

async function findPat(request: Request, ownerId: number, id: number): Promise<Versioned<Token>> {
  const found = (await loadTokensOfUser(request, ownerId)).find(({ value }) => patIdOf(value) === id);
  if (found === undefined) throw notFound('personal access token', id);
  return found;
}

/** Refuses the holder of an admin token, who is nobody in particular. */
function assertUser({ id }: Actor): void {
  if (id <= 0) throw notAUser('the holder of an admin token');
}

function notAUser(who: string): ApiError {
  return new ApiError('NoAccessError', `Personal access tokens belong to users; this is ${who}.`);
}

export function patOf(token: Token): Pat {
  const { userId = 0, createdAt, expiresAt = endOfTime, seenAt = null } = token;
  return { id: patIdOf(token), description: descriptionOf(token), userId, createdAt, expiresAt, seenAt };
}

/** Tokens that a command made have no description. */
function descriptionOf({ description, name }: Token): string {
  return description ?? name;
}

/**
 * Returns the id of a personal access token. A token made by a command has no number: the first 48 bits of its hash,
 * with which nobody can sign in, serve as one.
 */
function patIdOf({ number, hash }: Token): number {
  return number ?? Number.parseInt(hash.slice(0, 12), 16);
}
