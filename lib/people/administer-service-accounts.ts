import { acceptName } from '../entity/names.ts';
import type { Actor } from '../events/actor.ts';
import { awaitInOrder } from '../helpers/await-in-order.ts';
import { buildPartialRoleRemoval } from '../identity/roles.ts';
import { loadTokens, loadTokensOfUser } from '../identity/tokens/tokens.ts';
import { type ServiceAccount, serviceAccounts } from '../identity/users.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { patOf } from '../tokens/personal-tokens.ts';
import { deleteAccount } from './delete-account.ts';
import { requireRoles } from './roles/require-roles.ts';
import { type ShownServiceAccount, serviceAccountName } from './service-account-schema.ts';
import type { Pat } from './user-schema.ts';

interface ServiceAccountFields {
  readonly username: string;
  readonly name: string;
  readonly rootRole: number;
}

/** Lists all service accounts with their tokens. */
export async function listServiceAccounts(request: Request): Promise<ShownServiceAccount[]> {
  const [all, tokens] = await Promise.all([serviceAccounts.list(request), loadTokens(request)]);
  const byOwner = Map.groupBy(tokens, ({ userId }) => userId);
  return all.map((account) => serviceAccountViewOf(account, (byOwner.get(account.id) ?? []).map(patOf)));
}

export function serviceAccountViewOf(account: ServiceAccount, tokens: readonly Pat[] = []): ShownServiceAccount {
  const { id, username = '', name = '', rootRole, createdAt, accountType } = account;
  return { id, accountType, username, name, rootRole, seenAt: null, createdAt, tokens: [...tokens] };
}

/** @throws ApiError 409 for a user name in use; 400 for an unknown root role. */
export async function createServiceAccount(request: Request, actor: Actor, fields: ServiceAccountFields) {
  await requireRootRole(request, fields.rootRole);
  return serviceAccounts.create(request, actor, (createdAt, id) => ({
    id,
    ...fields,
    accountType: 'Service Account',
    createdAt,
    projectRoles: [],
    groups: [],
  }));
}

/** @throws ApiError 404 for an unknown service account; 400 for an unknown root role; 412 if `If-Match` does not match. */
export async function updateServiceAccount(
  request: Request,
  actor: Actor,
  id: number,
  { name, rootRole }: Partial<ServiceAccountFields>,
): Promise<Versioned<ServiceAccount>> {
  if (rootRole !== undefined)
    await awaitInOrder([serviceAccounts.load(request, id), requireRootRole(request, rootRole)]);
  return serviceAccounts.update(request, actor, id, (account) => ({
    ...account,
    ...(name !== undefined && { name: acceptName(account.name ?? '', name, serviceAccountName) }),
    ...(rootRole !== undefined && { rootRole }),
  }));
}

/**
 * Deletes a service account with its tokens.
 * @throws ApiError 404 for an unknown service account; 412 if `If-Match` does not match.
 */
export function deleteServiceAccount(request: Request, actor: Actor, id: number): Promise<void> {
  return deleteAccount(request, actor, {
    key: serviceAccounts.keyOf(id),
    tokens: () => loadTokensOfUser(request, id),
    read: () => serviceAccounts.load(request, id),
    revisionOf: (account) => account,
    removal: serviceAccounts.buildRemovalEffects,
    partialRemoval: (account) => buildPartialRoleRemoval(serviceAccounts, account),
  });
}

function requireRootRole(request: Request, id: number): Promise<void> {
  return requireRoles(request, 'root', [{ id, path: 'rootRole' }]);
}
