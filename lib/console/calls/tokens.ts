import type { Role } from '../../people/roles/role-schema.ts';
import type { ShownServiceAccount } from '../../people/service-account-schema.ts';
import type { Pat } from '../../people/user-schema.ts';
import type { ApiToken } from '../../tokens/api-token-schema.ts';
import { change, read } from '../data/declare-call.ts';

interface Tokens {
  readonly tokens: readonly ApiToken[];
}
export interface NewTokenBody {
  readonly tokenName: string;
  readonly type: 'client' | 'frontend';
  readonly environment: string;
  readonly projects?: readonly string[];
  readonly expiresAt: string | null;
}
export const getAllApiTokens = read<Tokens>()('getAllApiTokens', '/api/admin/api-tokens');
export const createApiToken = change<ApiToken, NewTokenBody>()('createApiToken', 'POST', '/api/admin/api-tokens');
export const updateApiToken = change<unknown, { readonly expiresAt: string | null }>()(
  'updateApiToken',
  'PUT',
  '/api/admin/api-tokens/{token}',
);
export const deleteApiToken = change()('deleteApiToken', 'DELETE', '/api/admin/api-tokens/{token}');

const ofProject = '/api/admin/projects/{projectId}/api-tokens';
export const getProjectApiTokens = read<Tokens>()('getProjectApiTokens', ofProject);
export const createProjectApiToken = change<ApiToken, NewTokenBody>()('createProjectApiToken', 'POST', ofProject);
export const deleteProjectApiToken = change()('deleteProjectApiToken', 'DELETE', `${ofProject}/{token}`);

export interface NewPat {
  readonly description: string;
  readonly expiresAt: string;
  readonly scope?: 'propose';
}
type CreatedPat = Pat & { readonly secret: string };
export const getPats = read<{ readonly pats: readonly Pat[] }>()('getPats', '/api/admin/user/tokens');
export const createPat = change<CreatedPat, NewPat>()('createPat', 'POST', '/api/admin/user/tokens');
export const deletePat = change()('deletePat', 'DELETE', '/api/admin/user/tokens/{id}');

interface AccountBody {
  readonly name: string;
  readonly rootRole: number;
}
const accounts = '/api/admin/service-account';
export const getServiceAccounts = read<{
  readonly serviceAccounts: readonly ShownServiceAccount[];
  readonly rootRoles: readonly Role[];
}>()('getServiceAccounts', accounts);
export const createServiceAccount = change<ShownServiceAccount, AccountBody & { readonly username: string }>()(
  'createServiceAccount',
  'POST',
  accounts,
);
export const updateServiceAccount = change<unknown, AccountBody>()('updateServiceAccount', 'PUT', `${accounts}/{id}`);
export const deleteServiceAccount = change()('deleteServiceAccount', 'DELETE', `${accounts}/{id}`);
export const createServiceAccountToken = change<CreatedPat, NewPat>()(
  'createServiceAccountToken',
  'POST',
  `${accounts}/{id}/token`,
);
export const deleteServiceAccountToken = change()(
  'deleteServiceAccountToken',
  'DELETE',
  `${accounts}/{id}/token/{tokenId}`,
);
