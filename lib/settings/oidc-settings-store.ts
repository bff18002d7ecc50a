import type { Actor } from '../events/actor.ts';
import type { OidcSettings, ShownOidcSettings } from '../schemas/oidc-settings.ts';
import type { Table } from '../table/table.ts';
import { loadSetting, saveSetting } from './settings.ts';

/** Under Unleash's name for it. */
const settingId = 'unleash.enterprise.auth.oidc';

/** The stored settings. Where none were ever stored, single sign-on is off: clients read before they first write. */
export async function loadOidcSettings(table: Table): Promise<ShownOidcSettings> {
  return (await loadSetting<OidcSettings>(table, settingId)) ?? { enabled: false };
}

export function saveOidcSettings(table: Table, actor: Actor, settings: OidcSettings): Promise<void> {
  return saveSetting(table, actor, settingId, settings);
}
