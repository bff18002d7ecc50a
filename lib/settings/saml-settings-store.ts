import type { Actor } from '../events/actor.ts';
import type { SamlSettings, ShownSamlSettings } from '../schemas/saml-settings.ts';
import type { Table } from '../table/table.ts';
import { loadSetting, saveSetting } from './settings.ts';

/** Under Unleash's name for it. */
const settingId = 'unleash.enterprise.auth.saml';

/** The stored settings. Where none were ever stored, single sign-on is off: clients read before they first write. */
export async function loadSamlSettings(table: Table): Promise<ShownSamlSettings> {
  return (await loadSetting<SamlSettings>(table, settingId)) ?? { enabled: false };
}

export function saveSamlSettings(table: Table, actor: Actor, settings: SamlSettings): Promise<void> {
  return saveSetting(table, actor, settingId, settings);
}
