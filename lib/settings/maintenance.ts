import { ApiError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { remember, rememberStored } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { readSetting, saveSetting } from './settings.ts';

/** The id of the setting: Unleash's name for it. */
const settingId = 'maintenance.mode';

interface Maintenance {
  readonly enabled: boolean;
  /** Time of the last change. */
  readonly setAt?: string;
}

/** Tells whether changes are refused at present. Changes of other processes are noticed within `identityTrustMs`. */
export async function isInMaintenance(request: Request): Promise<boolean> {
  return (await remember(request, settingId, () => loadMaintenance(request)))?.enabled === true;
}

/** Reads maintenance mode from the store. */
export async function loadMaintenance(request: Request): Promise<Maintenance> {
  return (await readMaintenance(request)).value;
}

/** Reads maintenance mode with its version. */
export function readMaintenance(request: Request): Promise<Versioned<Maintenance>> {
  return readSetting<Maintenance>(request, settingId, { enabled: false });
}

/**
 * Switches maintenance mode, in which all changes are refused. Each call makes an event, even if it changes nothing.
 * @throws ApiError 412 if `If-Match` does not match.
 */
export async function setMaintenance(request: Request, actor: Actor, enabled: boolean): Promise<Versioned<void>> {
  const maintenance: Maintenance = { enabled, setAt: new Date().toISOString() };
  const result = await saveSetting(request, actor, settingId, maintenance);
  rememberStored(request, settingId, maintenance);
  return result;
}

export function maintenanceError(): ApiError {
  return new ApiError(
    'ServiceUnavailable',
    'The service is in maintenance mode: it refuses changes until an administrator ends it. Reads and SDKs keep working.',
  );
}
