import { notFound } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { SamlSettings } from '../schemas/saml-settings.ts';
import type { Table } from '../table/table.ts';
import { loadSetting, saveSetting } from './settings.ts';

/** Under Unleash's name for it. */
const settingId = 'unleash.enterprise.auth.saml';

/** @throws ApiError 404 where none were ever stored. */
export async function loadSamlSettings(table: Table): Promise<SamlSettings> {
  const settings = await loadSetting<SamlSettings>(table, settingId);
  if (settings === undefined) throw notFound('setting', settingId);
  return settings;
}

export function saveSamlSettings(table: Table, actor: Actor, settings: SamlSettings): Promise<void> {
  return saveSetting(table, actor, settingId, settings);
}
