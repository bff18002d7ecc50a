import { change } from '../entity/change.ts';
import { nameTaken } from '../entity/entity.ts';
import { ApiError, invalid, notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { Pat } from '../schemas/user.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { raiseCounter } from '../table/transact.ts';
import { newSecret } from './token.ts';
import { loadTokensOf, removeToken, type Token, tokenCreated, tokenOf, userTouched } from './tokens.ts';
import { users } from './users.ts';

/** How many a user may have. */
const patsMax = 100;

/** Stands for never, where clients insist on a time. */
const endOfTime = '9999-12-31T23:59:59.999Z';

interface NewPat {
  readonly description: string;
  readonly expiresAt: string;
}

/** The personal access tokens of a user, oldest first. */
export async function listPats(table: Table, userId: number): Promise<Pat[]> {
  return (await loadTokensOf(table, userId)).map(({ value }) => patOf(value));
}

/**
 * Makes a token that acts as its user; the result is the only place that shows its secret.
 * @throws ApiError 403 where the caller is no user; 409 where a token of theirs has the description; 400 where it has
 * expired already, or they have too many.
 */
export async function createPat(
  table: Table,
  actor: Actor,
  { description, expiresAt }: NewPat,
): Promise<Pat & { readonly secret: string }> {
  assertUser(actor);
  if (Date.parse(expiresAt) <= Date.now()) throw invalid('This token would have expired already.');
  const secret = newSecret('user');
  return change(table, actor, {
    of: [keys.user(actor.id)],
    read: () =>
      Promise.all([
        users.load(table, actor.id),
        loadTokensOf(table, actor.id),
        raiseCounter(table, keys.counter('personal-token'), 1),
      ]),
    revisionOf: () => undefined,
    decide: ([user, others, number], at) => {
      if (others.some(({ value }) => descriptionOf(value) === description)) {
        throw nameTaken('personal access token', 'description', description);
      }
      if (others.length >= patsMax)
        throw invalid(`You have ${others.length} tokens, and at most ${patsMax}; delete some.`);
      const request = { kind: 'user' as const, user: user.value, description, number, expiresAt: new Date(expiresAt) };
      const token = tokenOf(secret, request, at);
      const { writes, events } = tokenCreated(token);
      return {
        writes: [...writes, userTouched(actor.id, user.version)],
        events,
        result: { ...patOf(token), secret },
      };
    },
  });
}

/**
 * Deletes a token of the user; processes that have seen it lately trust it for a few seconds more (see `identityTrustMs`).
 * @throws ApiError 403 where the caller is no user; 404 where no token of theirs has the id.
 */
export async function deletePat(table: Table, actor: Actor, id: number): Promise<void> {
  assertUser(actor);
  await removeToken(table, actor, async () => {
    const found = (await loadTokensOf(table, actor.id)).find(({ value }) => patIdOf(value) === id);
    if (found === undefined) throw notFound('personal access token', id);
    return found;
  });
}

/** The holder of an admin token is nobody in particular. */
export function assertUser({ id }: Actor): void {
  if (id <= 0) throw new ApiError('NoAccessError', 'Personal access tokens belong to users; an admin token was sent.');
}

function patOf(token: Token): Pat {
  const { userId = 0, createdAt, expiresAt = endOfTime, seenAt = null } = token;
  return { id: patIdOf(token), description: descriptionOf(token), userId, createdAt, expiresAt, seenAt };
}

/** Tokens that a command made have no description. */
function descriptionOf({ description, name }: Token): string {
  return description ?? name;
}

/** One that a command made has no number: the first 48 bits of its hash are one, which nobody can sign in with. */
function patIdOf({ number, hash }: Token): number {
  return number ?? Number.parseInt(hash.slice(0, 12), 16);
}
