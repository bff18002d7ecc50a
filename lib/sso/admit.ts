import { ApiError } from '../errors.ts';
import { systemUser } from '../events/actor.ts';
import { requireRoles } from '../rights/require-roles.ts';
import { syncGroups } from '../rights/sync-groups.ts';
import { inMaintenance, isInMaintenance } from '../settings/maintenance.ts';
import { findUserId } from '../sign-in/find-user.ts';
import { keepingRefusals, signedIn } from '../sign-in/history.ts';
import { addressProven, isAddressClaimed } from '../sign-in/own-address.ts';
import type { SignOn } from '../sign-in/sessions.ts';
import { type Browser, beginSession, type SignedIn } from '../sign-in/sign-in.ts';
import type { Table } from '../table/table.ts';
import type { Write } from '../table/write.ts';
import { createUser } from '../users/administer-users.ts';
import { rootRoles } from '../users/permissions.ts';
import { type User, users } from '../users/users.ts';
import type { Identity } from './identity.ts';
import { refused } from './refusal.ts';

/** Who may come by an identity provider, and as what. */
export interface Admission {
  readonly autoCreate?: boolean;
  /** With commas between them; all where there is none. */
  readonly emailDomains?: string;
  readonly defaultRootRole?: keyof typeof rootRoles;
  readonly defaultRootRoleId?: number;
}

/** A sign-on that an identity provider has answered. */
export interface AnsweredSignOn {
  readonly way: 'saml' | 'oidc';
  readonly browser: Browser;
  /** What says that it is over. */
  readonly used: Write;
  /** What the session keeps of it. */
  readonly signOn: SignOn;
}

/**
 * Signs the user in for whom an identity provider vouches, creates them where that is wanted, and has their groups follow
 * what it says.
 * @throws ApiError 401 where they may not come; the log says why. 503 where that changes a user during maintenance.
 */
export function admit(
  table: Table,
  identity: Identity,
  admission: Admission,
  { way, browser, used, signOn }: AnsweredSignOn,
): Promise<SignedIn> {
  const { email } = identity;
  const attempt = { way, name: email, address: browser.address };
  return keepingRefusals(table, attempt, async () => {
    assertDomain(email, admission);
    const user = (await findUser(table, email)) ?? (await newUser(table, identity, admission));
    if (await isAddressClaimed(table, user.id)) {
      await assertNoMaintenance(table);
      await addressProven(table, user.id);
    }
    if (identity.groups !== undefined && !(await isInMaintenance(table))) {
      await syncGroups(table, user.id, identity.groups);
    }
    return beginSession(table, user, browser, { used: [used, signedIn(attempt)], signOn });
  });
}

async function assertNoMaintenance(table: Table): Promise<void> {
  if (await isInMaintenance(table)) throw inMaintenance();
}

function assertDomain(email: string, { emailDomains = '' }: Admission): void {
  const domains = emailDomains.split(',').map((domain) => domain.trim().toLowerCase().replace(/^@/, ''));
  const allowed = domains.filter((domain) => domain !== '');
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (allowed.length > 0 && !allowed.includes(domain))
    throw refused('The domain of the address is none of the allowed.');
}

/** By their address, or by a user name that is one. */
async function findUser(table: Table, email: string): Promise<User | undefined> {
  const id = await findUserId(table, email);
  return id === undefined ? undefined : (await users.find(table, id))?.value;
}

async function newUser(table: Table, { email, name }: Identity, admission: Admission): Promise<User> {
  const {
    autoCreate,
    defaultRootRole = 'Viewer',
    defaultRootRoleId: rootRole = rootRoles[defaultRootRole],
  } = admission;
  if (autoCreate !== true) throw refused('There is no such user, and users are not created by signing on.');
  await Promise.all([assertNoMaintenance(table), requireRootRole(table, rootRole)]);
  try {
    return (await createUser(table, systemUser, { email, ...(name && { name }), rootRole })).value;
  } catch (error) {
    // Another request may have signed them on at the same moment.
    const user = await findUser(table, email);
    if (user === undefined) throw error;
    return user;
  }
}

/** The settings may be older than the roles. */
async function requireRootRole(table: Table, id: number): Promise<void> {
  try {
    await requireRoles(table, 'root', [{ id, path: 'defaultRootRoleId' }]);
  } catch (error) {
    throw error instanceof ApiError ? refused(`The default role of the settings is none: ${error.message}`) : error;
  }
}
