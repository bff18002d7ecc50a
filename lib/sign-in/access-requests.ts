import { change } from '../entity/change.ts';
import { codec } from '../entity/codec.ts';
import { type Effects, mergeEffects } from '../entity/effects.ts';
import { entity } from '../entity/entity.ts';
import { ApiError } from '../errors.ts';
import { type Actor, systemUser } from '../events/actor.ts';
import { newUser, type User, users } from '../identity/users.ts';
import { requireRoles } from '../people/roles/require-roles.ts';
import type { Request } from '../request.ts';
import { keysIn } from '../store/client/definition.ts';
import * as keys from '../store/keys.ts';
import { raiseCounter } from '../store/transactions/transact.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { Identity } from './sso/identity.ts';

/** Somebody without an account who has signed on where signing on creates none. */
interface AccessRequest {
  readonly id: number;
  readonly email: string;
  readonly name?: string;
  readonly requestedAt: string;
}

const byEmail = keysIn({ pk: 'ENTITIES', prefix: 'ACCESS REQUEST OF#' });

export const accessRequests = entity<AccessRequest, number>({
  kind: 'access request',
  idOf: ({ id }) => id,
  codec: codec<AccessRequest>({}),
  // Mail to any spelling arrives at the same person.
  unique: { email: (email) => byEmail(email.toLowerCase()) },
  counter: 'access-request',
  // Everybody with an account at the identity provider can make one.
  max: 100,
  events: { created: 'user-access-request-registered' },
  eventData: (request) => request,
});

/**
 * Keeps the wish of somebody for an account, for whom an identity provider vouches.
 * @returns false where so many wait that it is not kept.
 */
export async function registerAccessRequest(request: Request, { email, name }: Identity): Promise<boolean> {
  if ((await accessRequests.bearers(request, 'email', [email])).size > 0) return true;
  try {
    await accessRequests.create(request, systemUser, (requestedAt, id) => ({
      ...{ id, email, requestedAt },
      ...(name !== undefined && { name }),
    }));
    return true;
  } catch (error) {
    // They have signed on twice at the same moment.
    if (error instanceof ApiError && error.name === 'NameExistsError') return true;
    if (error instanceof ApiError && error.name === 'ValidationError') return false;
    throw error;
  }
}

/**
 * Creates the user who asked for it, with a root role.
 * @throws ApiError 404 for an unknown request; 400 for an unknown role; 409 where there is a user with the address meanwhile.
 */
export function approveAccessRequest(request: Request, actor: Actor, id: number, rootRole: number): Promise<User> {
  return change(request, actor, {
    of: [accessRequests.keyOf(id)],
    likelyEvents: 2,
    read: () =>
      Promise.all([
        accessRequests.load(request, id),
        raiseCounter(request, keys.counter('user'), 1),
        requireRoles(request, 'root', [{ id: rootRole, path: 'rootRole' }]),
      ]),
    revisionOf: ([found]) => found,
    decide: ([found, userId], at) => {
      const { email, name } = found.value;
      const user: User = { ...newUser(userId, undefined, at), email, ...(name !== undefined && { name }), rootRole };
      const approved = settled(found, 'user-access-request-approved');
      return { ...mergeEffects([users.created(user, at), approved]), result: user };
    },
  });
}

/** @throws ApiError 404 for an unknown one. */
export function rejectAccessRequest(request: Request, actor: Actor, id: number): Promise<void> {
  return change(request, actor, {
    of: [accessRequests.keyOf(id)],
    read: () => accessRequests.load(request, id),
    revisionOf: (found) => found,
    decide: (found) => ({ ...settled(found, 'user-access-request-rejected'), result: undefined }),
  });
}

function settled(
  found: Versioned<AccessRequest>,
  type: 'user-access-request-approved' | 'user-access-request-rejected',
): Effects {
  return { writes: accessRequests.removed(found).writes, events: [{ type, data: { ...found.value } }] };
}
