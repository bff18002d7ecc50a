import { randomBytes } from 'node:crypto';
import type { Actor } from '../events/actor.ts';
import { remember, rememberStored } from '../identity/identity-memory.ts';
import { hashOf } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { readSetting, saveSetting } from '../settings/settings.ts';
import type { Versioned } from '../store/transactions/versioned.ts';

/** Under Unleash's name for it. */
const settingId = 'unleash.enterprise.auth.scim';

/** The settings of SCIM, by which a directory provisions people and groups. */
export interface ScimSettings {
  readonly enabled: boolean;
  /** The hash of the only token that the directory may use; missing if none was made. */
  readonly tokenHash?: string;
}

/** Reads the settings from the store, with their version. */
export function readScimSettings(request: Request): Promise<Versioned<ScimSettings>> {
  return readSetting<ScimSettings>(request, settingId, { enabled: false });
}

/** Loads the settings for a check of each request. Changes of other processes are noticed within `identityTrustMs`. */
export async function loadScimSettings(request: Request): Promise<ScimSettings> {
  const settings = await remember(request, settingId, async () => (await readScimSettings(request)).value);
  return settings ?? { enabled: false };
}

/** @throws ApiError 412 if `If-Match` does not match. */
export async function saveScimSettings(
  request: Request,
  actor: Actor,
  settings: ScimSettings,
): Promise<Versioned<void>> {
  const result = await saveSetting(request, actor, settingId, settings);
  rememberStored(request, settingId, settings);
  return result;
}

/** Makes a token for a directory, with 256 random bits, and the hash under which it is stored. */
export function makeScimToken(): { readonly secret: string; readonly hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

/** Tells whether a secret is the token of the directory, and SCIM is on. */
export async function isScimToken(request: Request, secret: string | undefined): Promise<boolean> {
  if (secret === undefined || secret === '') return false;
  const { enabled, tokenHash } = await loadScimSettings(request);
  return enabled && tokenHash !== undefined && hashOf(secret) === tokenHash;
}
