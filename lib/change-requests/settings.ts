import type { Actor } from '../events/actor.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import type { Request } from '../request.ts';
import { readSetting, saveSetting } from '../settings/settings.ts';
import type { Versioned } from '../store/transactions/versioned.ts';

const settingId = 'change-requests';

/** The settings of all change requests. */
interface ChangeRequestSettings {
  /**
   * True if Admins and admin tokens can change a protected environment without approval, as on Unleash. If false, they
   * need SKIP_CHANGE_REQUEST in one of their roles, as everybody does.
   */
  readonly adminsSkip: boolean;
  /** The minutes by which a schedule may be late and still be applied; null for no limit. */
  readonly lateMinutesMax: number | null;
  /** The days after which a request under review is cancelled, if it is not applied; null for never. */
  readonly expiryDays: number | null;
}

const defaults: ChangeRequestSettings = { adminsSkip: true, lateMinutesMax: null, expiryDays: null };

/** Reads the settings, with their version. */
export async function readChangeRequestSettings(request: Request): Promise<Versioned<ChangeRequestSettings>> {
  const stored = await readSetting(request, settingId, defaults);
  return { ...stored, value: { ...defaults, ...stored.value } };
}

/**
 * Changes the settings; other processes use them within `identityTrustMs`.
 * @throws ApiError 412 if `If-Match` does not match.
 */
export async function setChangeRequestSettings(
  request: Request,
  actor: Actor,
  {
    adminsSkip,
    lateMinutesMax = null,
    expiryDays = null,
  }: Pick<ChangeRequestSettings, 'adminsSkip'> & Partial<ChangeRequestSettings>,
): Promise<Versioned<void>> {
  // Requests read this access flag rather than the settings.
  const flagKey = flagKeys.adminsNeedApproval();
  const extraWrites = [adminsSkip ? { remove: flagKey } : { put: flagKey, item: {} }];
  const content = { adminsSkip, lateMinutesMax, expiryDays };
  const result = await saveSetting(request, actor, settingId, content, { extraWrites });
  await reloadAccessFlags(request);
  return result;
}
