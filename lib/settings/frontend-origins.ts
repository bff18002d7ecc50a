import type { Actor } from '../events/actor.ts';
import { rememberStored, rememberThroughOutage } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import { loadSetting, saveSetting } from './settings.ts';

/** Under Unleash's name for it. */
const settingId = 'unleash.frontend';

interface FrontendSettings {
  /** Missing where they were never set. */
  readonly frontendApiOrigins?: readonly string[];
}

/**
 * Reads the sites whose scripts may evaluate flags, as an administrator has set them; undefined where none has. A
 * change by another process takes effect here within `identityTrustMs`; the last known value holds while the store
 * cannot be reached.
 */
export async function storedOrigins(request: Request): Promise<readonly string[] | undefined> {
  const settings = await rememberThroughOutage(request, settingId, () => loadFrontendSettings(request));
  return settings?.frontendApiOrigins;
}

/**
 * Reads the settings of the frontend API from the store; missing ones are returned as empty, so that they can be
 * remembered.
 */
export async function loadFrontendSettings(request: Request): Promise<FrontendSettings> {
  return (await loadSetting<FrontendSettings>(request, settingId)) ?? {};
}

export async function setOrigins(request: Request, actor: Actor, frontendApiOrigins: readonly string[]): Promise<void> {
  await saveSetting(request, actor, settingId, { frontendApiOrigins });
  rememberStored(request, settingId, { frontendApiOrigins });
}
