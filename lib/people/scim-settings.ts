import { randomBytes } from 'node:crypto';
import type { Actor } from '../events/actor.ts';
import { forget, remember, rememberStored } from '../identity/identity-memory.ts';
import { hashOf } from '../identity/tokens/token.ts';
import type { Request } from '../request.ts';
import { readSetting, settingKey, updateSetting } from '../settings/settings.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import type { RightsCondition } from '../store/transactions/write.ts';
import type { ShownScimSettings } from './scim-settings-schema.ts';

/** The id of the setting, as Unleash names it. */
const settingId = 'unleash.enterprise.auth.scim';

/** The settings of SCIM, by which a directory provisions people and groups. */
export interface ScimSettings {
  readonly enabled: boolean;
  /** The hash of the only token that the directory may use; missing if none was made. */
  readonly tokenHash?: string;
}

const off: ScimSettings = { enabled: false };

/** Reads the settings from the store, with their version. */
export function readScimSettings(request: Request): Promise<Versioned<ScimSettings>> {
  return readSetting<ScimSettings>(request, settingId, off);
}

/** Loads the settings for a check of each request. Changes of other processes are noticed within `identityTrustMs`. */
export async function loadScimSettings(request: Request): Promise<ScimSettings> {
  return (await remember(request, settingId, async () => (await readScimSettings(request)).value)) ?? off;
}

/** Returns the settings as administrators see them. */
export function scimSettingsViewOf({ enabled, tokenHash }: ScimSettings): ShownScimSettings {
  return { enabled, hasToken: tokenHash !== undefined };
}

/**
 * Switches SCIM on or off; other processes notice within `identityTrustMs`. The token stays.
 * @throws ApiError 412 if `If-Match` does not match.
 */
export function switchScim(request: Request, actor: Actor, enabled: boolean): Promise<Versioned<ScimSettings>> {
  return editSettings(request, actor, (before) => ({ ...before, enabled }));
}

/**
 * Makes a token for the directory, with 256 random bits, of which only the hash is stored. The token before it ends; other processes may
 * accept it for `identityTrustMs` more.
 * @returns the token.
 * @throws ApiError 412 if `If-Match` does not match.
 */
export async function replaceScimToken(request: Request, actor: Actor): Promise<Versioned<string>> {
  const secret = randomBytes(32).toString('base64url');
  const { version } = await editSettings(request, actor, (before) => ({ ...before, tokenHash: hashOf(secret) }));
  return { value: secret, version };
}

async function editSettings(request: Request, actor: Actor, edit: (before: ScimSettings) => ScimSettings) {
  const saved = await updateSetting<ScimSettings>(request, actor, settingId, (before = off) => edit(before));
  rememberStored(request, settingId, saved.value);
  return saved;
}

/** Tells whether a secret is the token of the directory, and SCIM is on. A token that was just made is accepted at once. */
export async function isScimToken(request: Request, secret: string | undefined): Promise<boolean> {
  if (secret === undefined || secret === '') return false;
  const hash = hashOf(secret);
  const isAccepted = ({ enabled, tokenHash }: ScimSettings) => enabled && tokenHash === hash;
  if (isAccepted(await loadScimSettings(request))) return true;
  // Another process may have made the token or switched SCIM on since.
  forget(request, settingId);
  return isAccepted(await loadScimSettings(request));
}

/** Returns the condition that the settings have not changed, for changes of rights by the directory. */
export function scimConditionOf(settings: ScimSettings): RightsCondition {
  return { check: settingKey(settingId), when: { same: { content: JSON.stringify(settings) } } };
}
