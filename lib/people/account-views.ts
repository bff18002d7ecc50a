import { type Account, isServiceAccount } from '../identity/accounts.ts';
import type { Group } from '../identity/groups.ts';
import { filterVisibleProjects, type Request } from '../request.ts';
import type { ShownAccount, ShownMember } from './rights/access-schema.ts';
import type { ShownUser } from './user-schema.ts';

/** Returns the properties of an account that everybody may see. */
export function accountViewOf(account: Account): ShownAccount {
  const { id, name, username, email, rootRole, createdAt } = account;
  return {
    id,
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    rootRole,
    createdAt,
    accountType: isServiceAccount(account) ? 'Service Account' : 'User',
  };
}

/** Returns an account with its last sign-in, for people who may give access. */
export function accountViewWithSignIn(account: Account): ShownAccount {
  const { seenAt } = account;
  return { ...accountViewOf(account), ...(seenAt !== undefined && { seenAt }) };
}

/** Returns the members of a group. Deleted ones are left out. */
export function memberViewsOf(
  { members }: Group,
  accounts: ReadonlyMap<number, Account>,
  view: (account: Account) => ShownAccount,
): ShownMember[] {
  return members.flatMap(({ userId, joinedAt, createdBy, isProvisioned }) => {
    const account = accounts.get(userId);
    return account === undefined
      ? []
      : [{ joinedAt, createdBy, user: view(account), ...(isProvisioned && { provisioned: true }) }];
  });
}

/** Returns the projects of a group that the caller sees. */
export function visibleProjectsOf(request: Request, { projectRoles }: Group): string[] {
  const projects = projectRoles.map(({ project }) => project);
  return filterVisibleProjects(request, projects);
}

/** Returns a user or a service account, for administrators. */
export function userViewOf(account: Account): ShownUser {
  const { id, name, username, email, seenAt, createdAt, rootRole, scimId, isDeactivated } = account;
  return {
    id,
    accountType: isServiceAccount(account) ? 'Service Account' : 'User',
    ...(name && { name }),
    ...(username && { username }),
    ...(email && { email }),
    seenAt: seenAt ?? null,
    loginAttempts: 0,
    createdAt,
    rootRole,
    imageUrl: '',
    scimId: scimId ?? null,
    ...(isDeactivated && { deactivated: true }),
    seatType: null,
    companyRole: null,
    productUpdatesEmailConsent: null,
  };
}
