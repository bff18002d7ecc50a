import type { Actor } from '../events/actor.ts';
import { reloadAccessFlags } from '../identity/access-flags/access-flags.ts';
import * as flagKeys from '../identity/access-flags/keys.ts';
import type { Request } from '../request.ts';
import { readSetting, saveSetting } from '../settings/settings.ts';
import type { Versioned } from '../store/transactions/versioned.ts';

const settingId = 'change-requests';

/** Setting of all change requests. */
interface ChangeRequestSettings {
  /**
   * True, as on Unleash, if administrators and admin tokens may change a protected environment without approval; else
   * they may where one of their roles has SKIP_CHANGE_REQUEST, as everybody.
   */
  readonly adminsSkip: boolean;
  /** The most minutes that a schedule is applied late, after a standstill of the service; null where it always is. */
  readonly lateMinutesMax: number | null;
  /** The days after which a request that was sent to review is cancelled if it is not applied; null where none is. */
  readonly expiryDays: number | null;
}

const usual: ChangeRequestSettings = { adminsSkip: true, lateMinutesMax: null, expiryDays: null };

/** Reads the setting, with its version. */
export async function readChangeRequestSettings(request: Request): Promise<Versioned<ChangeRequestSettings>> {
  const stored = await readSetting(request, settingId, usual);
  return { ...stored, value: { ...usual, ...stored.value } };
}

/**
 * Changes the setting; other processes notice within `identityTrustMs`.
 * @throws ApiError 412 by `If-Match`.
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
  const mark = flagKeys.adminsNeedApproval();
  // What every request looks at is the mark.
  const besides = [adminsSkip ? { remove: mark } : { put: mark, item: {} }];
  const content = { adminsSkip, lateMinutesMax, expiryDays };
  const result = await saveSetting(request, actor, settingId, content, undefined, besides);
  await reloadAccessFlags(request);
  return result;
}
