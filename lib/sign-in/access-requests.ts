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

/** A person who signed on without an account, while single sign-on does not create users. */
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
  // Mail to any spelling of an address reaches the same person.
  unique: { email: (email) => byEmail(email.toLowerCase()) },
  counter: 'access-request',
  // Anyone with an account at the identity provider can create one.
  max: 100,
  events: { created: 'user-access-request-registered' },
  eventData: (request) => request,
});

/**
 * Stores the request for an account of a person whom an identity provider has identified.
 * @returns false if too many people wait, so that it is not stored.
 */
export async function registerAccessRequest(
  request: Request,
  { email, name }: Pick<Identity, 'email' | 'name'>,
): Promise<boolean> {
  if ((await accessRequests.findHolders(request, 'email', [email])).size > 0) return true;
  try {
    await accessRequests.create(request, systemUser, (requestedAt, id) => ({
      ...{ id, email, requestedAt },
      ...(name !== undefined && { name }),
    }));
    return true;
  } catch (error) {
    // The same person signed on twice at the same moment.
    if (error instanceof ApiError && error.name === 'NameExistsError') return true;
    if (error instanceof ApiError && error.name === 'ValidationError') return false;
    throw error;
  }
}

/**
 * Creates the user of an access request, with a root role.
 * @throws ApiError 404 for an unknown request; 400 for an unknown role; 409 if a user has the address in the meantime.
 */
export function approveAccessRequest(request: Request, actor: Actor, id: number, rootRole: number): Promise<User> {
  return change(request, actor, {
    items: [accessRequests.keyOf(id)],
    likelyEvents: 2,
    read: () =>
      Promise.all([
        accessRequests.load(request, id),
        raiseCounter(request, keys.counter('user'), 1),
        requireRoles(request, 'root', [{ id: rootRole, path: 'rootRole' }]),
      ]),
    revisionOf: ([accessRequest]) => accessRequest,
    decide: ([accessRequest, userId], at) => {
      const { email, name } = accessRequest.value;
      const user: User = { ...newUser(userId, undefined, at), email, ...(name !== undefined && { name }), rootRole };
      const approved = buildSettlement(accessRequest, 'user-access-request-approved');
      return { ...mergeEffects([users.buildCreationEffects(user, at), approved]), result: user };
    },
  });
}

/** Deletes an access request. @throws ApiError 404 if it does not exist. */
export function rejectAccessRequest(request: Request, actor: Actor, id: number): Promise<void> {
  return change(request, actor, {
    items: [accessRequests.keyOf(id)],
    read: () => accessRequests.load(request, id),
    revisionOf: (accessRequest) => accessRequest,
    decide: (accessRequest) => ({
      ...buildSettlement(accessRequest, 'user-access-request-rejected'),
      result: undefined,
    }),
  });
}

function buildSettlement(
  accessRequest: Versioned<AccessRequest>,
  type: 'user-access-request-approved' | 'user-access-request-rejected',
): Effects {
  return {
    writes: accessRequests.buildRemovalEffects(accessRequest).writes,
    events: [{ type, data: { ...accessRequest.value } }],
  };
}
