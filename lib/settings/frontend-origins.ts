import type { Actor } from '../events/actor.ts';
import { rememberStored, rememberThroughOutage } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import { loadSetting, saveSetting } from './settings.ts';

/** The id of the setting: Unleash's name for it. */
const settingId = 'unleash.frontend';

interface FrontendSettings {
  /** Missing if they were never set. */
  readonly frontendApiOrigins?: readonly string[];
}

/**
 * Loads the origins whose scripts may evaluate flags; undefined if nobody has set them. Changes of other processes are noticed
 * within `identityTrustMs`. While the store cannot be reached, the last known value holds.
 * @param patienceMs the most time for a read, whether or not the request has been aborted.
 */
export async function loadOrigins(request: Request, patienceMs: number): Promise<readonly string[] | undefined> {
  const settings = await rememberThroughOutage(request, settingId, () =>
    loadFrontendSettings({ ...request, signal: AbortSignal.timeout(patienceMs) }),
  );
  return settings?.frontendApiOrigins;
}

/** Reads the settings of the frontend API from the store. Missing ones are an empty object, which can be remembered. */
export async function loadFrontendSettings(request: Request): Promise<FrontendSettings> {
  return (await loadSetting<FrontendSettings>(request, settingId)) ?? {};
}

export async function setOrigins(request: Request, actor: Actor, frontendApiOrigins: readonly string[]): Promise<void> {
  await saveSetting(request, actor, settingId, { frontendApiOrigins });
  rememberStored(request, settingId, { frontendApiOrigins });
}
