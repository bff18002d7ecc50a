import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { remember, rememberStored } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { readSetting, saveSetting } from './settings.ts';

/** Under Unleash's name for it. */
const settingId = 'maintenance.mode';

interface Maintenance {
  readonly enabled: boolean;
  /** Time of the last change; missing where there was none. */
  readonly setAt?: string;
}

/**
 * Tells whether changes are refused for now; a change by another process takes effect here within `identityTrustMs`.
 */
export async function isInMaintenance(request: Request): Promise<boolean> {
  return (await remember(request, settingId, () => loadMaintenance(request)))?.enabled === true;
}

/** Reads from the store whether changes are refused. Off has a value too, so that it can be remembered. */
export async function loadMaintenance(request: Request): Promise<Maintenance> {
  return (await readMaintenance(request)).value;
}

/** Reads the setting as `loadMaintenance` does, with its version. */
export function readMaintenance(request: Request): Promise<Versioned<Maintenance>> {
  return readSetting<Maintenance>(request, settingId, { enabled: false });
}

/**
 * Starts or ends the refusal of all changes. Each call makes an event, even if it changes nothing.
 * @throws ApiError 412 by `If-Match`.
 */
export async function setMaintenance(request: Request, actor: Actor, enabled: boolean): Promise<Versioned<void>> {
  const maintenance: Maintenance = { enabled, setAt: new Date().toISOString() };
  const result = await saveSetting(request, actor, settingId, maintenance);
  rememberStored(request, settingId, maintenance);
  return result;
}

/** Returns a 503: changes are refused for now. */
export function inMaintenance(): ApiError {
  return new ApiError(
    'ServiceUnavailable',
    'The service is in maintenance mode: it refuses changes until an administrator ends it. Reads and SDKs keep working.',
  );
}
