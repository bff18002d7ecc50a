import { ApiError } from '../../errors.ts';
import { systemUser } from '../../events/actor.ts';
import { rootRoles } from '../../identity/permissions.ts';
import { type User, users } from '../../identity/users.ts';
import { createUser } from '../../people/administer-users.ts';
import { syncGroups } from '../../people/groups/sync-groups.ts';
import { requireRoles } from '../../people/roles/require-roles.ts';
import type { Request } from '../../request.ts';
import { isInMaintenance, maintenanceError } from '../../settings/maintenance.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import type { Write } from '../../store/transactions/write.ts';
import { registerAccessRequest } from '../access-requests.ts';
import { findUserId } from '../find-user.ts';
import { recordRefusals, signInWrite } from '../history.ts';
import { addressProven, isAddressClaimed } from '../own-address.ts';
import type { SignOn } from '../sessions.ts';
import { type Browser, beginSession, type SignedIn } from '../sign-in.ts';
import { settingsConditionOf, type Way } from '../sign-in-settings.ts';
import type { Identity } from './identity.ts';
import { refuseSignOn } from './refusal.ts';

/** Settings that decide who may come from an identity provider, and with which role. */
export interface Admission {
  readonly autoCreate?: boolean;
  /** Domains, separated by commas; all are admitted if there are none. */
  readonly emailDomains?: string;
  readonly defaultRootRole?: keyof typeof rootRoles;
  readonly defaultRootRoleId?: number;
}

/** A sign-on that an identity provider has answered. */
export interface AnsweredSignOn {
  readonly way: Way;
  readonly browser: Browser;
  /** Write that uses up the sign-on. */
  readonly used: Write;
  readonly signOn: SignOn;
}

/**
 * Signs in the user for whom an identity provider vouches, creates them if that is wanted or else keeps their wish for an
 * account, and updates their groups by its word. A provider may take its time: each transaction rests on the settings by which its word was taken.
 * @throws ApiError 401 if they may not sign in; the log says why. 503 if that changes a user during maintenance.
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
  const guard = {
    ...settingsConditionOf(way, settings),
    otherwise: () => refuseSignOn('The settings have just changed.'),
  };
  const guarded: Request = { ...request, guard };
  return recordRefusals(request, attempt, async () => {
    assertDomain(email, admission);
    const user = (await findUser(request, email)) ?? (await newUser(guarded, identity, admission));
    if (await isAddressClaimed(request, user.id)) {
      await assertNoMaintenance(request);
      await addressProven(guarded, user.id);
    }
    if (identity.groups !== undefined && !(await isInMaintenance(request))) {
      await syncGroups(guarded, user.id, identity.groups);
    }
    return beginSession(guarded, user, browser, { used: [used, signInWrite(attempt)], signOn });
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

/** Finds a user by their address, or by a user name that is one, in any capitals; letters that look alike are others. */
async function findUser(request: Request, email: string): Promise<User | undefined> {
  const id = await findUserId(request, email);
  const found = id === undefined ? undefined : (await users.find(request, id))?.value;
  const isMeant = (name: string | undefined) => name?.toLowerCase() === email.toLowerCase();
  return isMeant(found?.email) || isMeant(found?.username) ? found : undefined;
}

async function newUser(request: Request, identity: Identity, admission: Admission): Promise<User> {
  const { email, name } = identity;
  const {
    autoCreate,
    defaultRootRole = 'Viewer',
    defaultRootRoleId: rootRole = rootRoles[defaultRootRole],
  } = admission;
  if (autoCreate !== true) {
    const isKept = !(await isInMaintenance(request)) && (await registerAccessRequest(request, identity));
    const reason = 'There is no such user, and users are not created by signing on.';
    throw isKept
      ? refuseSignOn(reason, 'You have no account here yet; administrators see that you ask for one.')
      : refuseSignOn(reason);
  }
  await Promise.all([assertNoMaintenance(request), requireRootRole(request, rootRole)]);
  try {
    return (await createUser(request, systemUser, { email, ...(name && { name }), rootRole })).value;
  } catch (error) {
    // Another request may have signed them on at the same moment.
    const user = await findUser(request, email);
    if (user === undefined) throw error;
    return user;
  }
}

/** Requires that a root role exists: the settings may be older than the roles. */
async function requireRootRole(request: Request, id: number): Promise<void> {
  try {
    await requireRoles(request, 'root', [{ id, path: 'defaultRootRoleId' }]);
  } catch (error) {
    throw error instanceof ApiError
      ? refuseSignOn(`The default role in the settings does not exist: ${error.message}`)
      : error;
  }
}
