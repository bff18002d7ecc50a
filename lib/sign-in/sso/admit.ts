import { ApiError } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { rootRoles } from '../../identity/permissions.ts';
import { type User, users } from '../../identity/users.ts';
import { createUser } from '../../people/administer-users.ts';
import { syncGroups } from '../../people/groups/sync-groups.ts';
import { requireRoles } from '../../people/roles/require-roles.ts';
import { loadScimSettings } from '../../people/scim-settings.ts';
import type { Request } from '../../request.ts';
import { isInMaintenance, maintenanceError } from '../../settings/maintenance.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { registerAccessRequest } from '../access-requests.ts';
import { buildSignInWrite, recordRefusals } from '../history.ts';
import { confirmAddress, isAddressClaimed } from '../own-address.ts';
import { findUserId } from '../passwords/records.ts';
import type { SignOn } from '../sessions.ts';
import { type Browser, beginSession, deactivatedMessage, type SignedIn } from '../sign-in.ts';
import { settingsConditionOf, type Way } from '../sign-in-settings.ts';
import type { Identity } from './identity.ts';
import { refuseSignOn } from './refusal.ts';

/** The settings that determine who may sign on with an identity provider, and with which role. */
export interface Admission {
  readonly autoCreate?: boolean;
  /** Domains, separated by commas. If there are none, all are allowed. */
  readonly emailDomains?: string;
  readonly defaultRootRole?: keyof typeof rootRoles;
  readonly defaultRootRoleId?: number;
}

/** A sign-on that an identity provider has answered. */
export interface AnsweredSignOn {
  readonly way: Way;
  readonly browser: Browser;
  /** The write that uses up the sign-on. */
  readonly used: Write;
  readonly signOn: SignOn;
}

/**
 * Signs in the user whom an identity provider has identified, and updates their groups. A missing user is created if the settings say so;
 * otherwise the request for an account is stored. Since a provider may be slow, each transaction depends on the settings being
 * unchanged.
 * @throws ApiError 401 if they may not sign in; the log has the reason. 503 if a user would have to change during maintenance.
 */
export function admit(
  request: Request,
  identity: Identity,
  settings: Versioned<Admission>,
  { way, browser, used, signOn }: AnsweredSignOn,
): Promise<SignedIn> {
  const { email } = identity;
  const admission = settings.value;
  const attempt = { way, name: email, address: browser.address };
  const condition = {
    ...settingsConditionOf(way, settings),
    otherwise: () => refuseSignOn('The settings have just changed.'),
  };
  const conditional: Request = { ...request, condition };
  return recordRefusals(request, attempt, async () => {
    assertDomain(email, admission);
    const user =
      (await findSignOnUser(request, identity)) ?? (await createSignOnUser(conditional, identity, admission));
    if (user.isDeactivated) throw refuseSignOn('The user is deactivated.', deactivatedMessage);
    if (await isAddressClaimed(request, user.id)) {
      await assertNoMaintenance(request);
      await confirmAddress(conditional, user.id);
    }
    if (identity.groups !== undefined && !(await isInMaintenance(request))) {
      await syncGroups(conditional, user.id, identity.groups);
    }
    return beginSession(conditional, user, browser, { used: [used, buildSignInWrite(attempt)], signOn });
  });
}

async function assertNoMaintenance(request: Request): Promise<void> {
  if (await isInMaintenance(request)) throw maintenanceError();
}

function assertDomain(email: string, { emailDomains = '' }: Admission): void {
  const domains = emailDomains.split(',').map((domain) => domain.trim().toLowerCase().replace(/^@/, ''));
  const allowed = domains.filter((domain) => domain !== '');
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (allowed.length > 0 && !allowed.includes(domain)) throw refuseSignOn('The domain of the address is not allowed.');
}

/** Finds a user by an id of the directory that provisions people by SCIM, otherwise by their address, which may have changed there. */
async function findSignOnUser(request: Request, { email, ids }: Identity): Promise<User | undefined> {
  const [{ enabled }, byAddress] = await Promise.all([loadScimSettings(request), findUser(request, email)]);
  if (!enabled) return byAddress;
  const [pointer] = (await users.findHolders(request, 'externalId', ids)).values();
  return pointer === undefined ? byAddress : (await users.find(request, pointer.id))?.value;
}

/** Finds a user by their address, or by a user name that is the address. It ignores case, but not compatible letters. */
async function findUser(request: Request, email: string): Promise<User | undefined> {
  const id = await findUserId(request, email);
  const user = id === undefined ? undefined : (await users.find(request, id))?.value;
  const isSame = (name: string | undefined) => name?.toLowerCase() === email.toLowerCase();
  return isSame(user?.email) || isSame(user?.username) ? user : undefined;
}

async function createSignOnUser(request: Request, identity: Identity, admission: Admission): Promise<User> {
  const { email, name } = identity;
  const {
    autoCreate,
    defaultRootRole = 'Viewer',
    defaultRootRoleId: rootRole = rootRoles[defaultRootRole],
  } = admission;
  if (autoCreate !== true) {
    const isRegistered = !(await isInMaintenance(request)) && (await registerAccessRequest(request, identity));
    const reason = 'There is no such user, and users are not created by signing on.';
    throw isRegistered
      ? refuseSignOn(reason, 'You have no account here yet. Administrators can see your request for one.')
      : refuseSignOn(reason);
  }
  await Promise.all([assertNoMaintenance(request), requireRootRole(request, rootRole)]);
  try {
    return (await createUser(request, systemUser, { email, ...(name && { name }), rootRole })).value;
  } catch (error) {
    // Another request may have created the user at the same moment.
    const user = await findSignOnUser(request, identity);
    if (user === undefined) throw error;
    return user;
  }
}

/** Checks that a root role exists, since it may have been deleted after the settings were stored. */
async function requireRootRole(request: Request, id: number): Promise<void> {
  try {
    await requireRoles(request, 'root', [{ id, path: 'defaultRootRoleId' }]);
  } catch (error) {
    throw error instanceof ApiError
      ? refuseSignOn(`The default role in the settings does not exist: ${error.message}`)
      : error;
  }
}
