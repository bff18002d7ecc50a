import { change } from '../entity/change.ts';
import type { Entity } from '../entity/entity.ts';
import { nameTakenError } from '../entity/names.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Caller } from '../identity/caller.ts';
import { makeSecret } from '../identity/tokens/token.ts';
import {
  buildToken,
  buildTokenCreation,
  descriptionOf,
  loadTokensOfUser,
  personalIdOf,
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

/** The most personal access tokens of a user. */
const patsMax = 100;

/** Stands for never, since clients require a time. */
const endOfTime = '9999-12-31T23:59:59.999Z';

interface NewPat {
  readonly description: string;
  readonly expiresAt: string;
  /** The scope of an agent's token. */
  readonly scope?: 'propose';
}

/** Lists the personal access tokens of a user, oldest first. */
export async function listPats(request: Request, userId: number): Promise<Pat[]> {
  return (await loadTokensOfUser(request, userId)).map(({ value }) => patOf(value));
}

/**
 * Creates a personal access token for the caller; only the result shows its secret.
 * @throws ApiError 403 if the caller is no user; 409 if a token of theirs has the description; 400 if it expires in the past or after
 * the token that creates it, and for one token too many.
 */
export async function createPat(
  request: Request,
  { tokenExpiresAt, ...actor }: Actor & Pick<Caller, 'tokenExpiresAt'>,
  input: NewPat,
): Promise<NewSecret> {
  assertUser(actor);
  // A leaked token must not be prolonged by creating others.
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
  return createPatFor(request, actor, { load, keyOf: users.keyOf }, actor.id, input);
}

type NewSecret = Pat & { readonly secret: string };

/** Users or service accounts. */
type Owners = Pick<Entity<User, number>, 'load' | 'keyOf'>;

/**
 * Creates a personal access token for an owner; only the result shows its secret.
 * @throws ApiError 404 for an unknown owner; 409 if a token of theirs has the description; 400 if it expires in the past, and for one
 * token too many.
 */
export function createPatFor(
  request: Request,
  actor: Actor & Pick<Caller, 'tokenMadeBy'>,
  { load, keyOf }: Owners,
  ownerId: number,
  { description, expiresAt, scope }: NewPat,
): Promise<NewSecret> {
  if (Date.parse(expiresAt) <= Date.now()) throw invalid('A token must expire in the future.');
  const secret = makeSecret('user');
  const maker = actor.tokenMadeBy ?? actor.id;
  const madeBy = maker > 0 && maker !== ownerId ? maker : undefined;
  return change(request, actor, {
    items: [keyOf(ownerId)],
    read: () =>
      Promise.all([
        load(request, ownerId),
        loadTokensOfUser(request, ownerId),
        raiseCounter(request, keys.counter('personal-token'), 1),
      ]),
    revisionOf: () => undefined,
    decide: ([owner, others, number], at) => {
      if (others.some(({ value }) => descriptionOf(value) === description)) {
        throw nameTakenError('personal access token', 'description', description);
      }
      assertRoom(others.length, patsMax, 'tokens of one user');
      const input = {
        kind: scope === 'propose' ? ('agent' as const) : ('user' as const),
        user: owner.value,
        description,
        number,
        madeBy,
        expiresAt: new Date(expiresAt),
      };
      const token = buildToken(secret, input, at);
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
 * Deletes a token of the caller; processes that know it trust it for a few more seconds (`identityTrustMs`).
 * @throws ApiError 403 if the caller is no user; 404 if they have no such token.
 */
export async function deletePat(request: Request, actor: Actor, id: number): Promise<void> {
  assertUser(actor);
  await removeToken(request, actor, () => loadPat(request, actor.id, id));
}

/**
 * Deletes a token of an owner; processes that know it trust it for a few more seconds (`identityTrustMs`).
 * @throws ApiError 404 for an unknown owner, and if they have no such token.
 */
export async function deletePatFor(request: Request, actor: Actor, { load }: Owners, ownerId: number, id: number) {
  await removeToken(request, actor, async () => {
    const [token] = await Promise.all([loadPat(request, ownerId, id), load(request, ownerId)]);
    return token;
  });
}

async function loadPat(request: Request, ownerId: number, id: number): Promise<Versioned<Token>> {
  const token = (await loadTokensOfUser(request, ownerId)).find(({ value }) => personalIdOf(value) === id);
  if (token === undefined) throw notFound('personal access token', id);
  return token;
}

/** Refuses admin tokens, which belong to no user. */
function assertUser({ id }: Actor): void {
  if (id <= 0) throw notAUser('an admin token');
}

function notAUser(who: string): ApiError {
  return new ApiError('NoAccessError', `Personal access tokens belong to users; this is ${who}.`);
}

export function patOf(token: Token): Pat {
  const { userId = 0, createdAt, expiresAt = endOfTime, seenAt = null } = token;
  return {
    ...{ id: personalIdOf(token), description: descriptionOf(token), userId, createdAt, expiresAt, seenAt },
    ...(token.kind === 'agent' && { scope: 'propose' as const }),
  };
}
