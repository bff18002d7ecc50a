import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { SimpleSettings } from '../schemas/simple-settings.ts';
import { loadOidcSettings } from '../settings/oidc-settings-store.ts';
import { loadSamlSettings } from '../settings/saml-settings-store.ts';
import { loadSetting, saveSetting } from '../settings/settings.ts';
import type { Table } from '../table/table.ts';

/** Under Unleash's name for it. */
const settingId = 'unleash.auth.simple';

/** Whether passwords are switched off; they are on where nobody has said anything. */
export async function loadSimpleSettings(table: Table): Promise<SimpleSettings> {
  return (await loadSetting<SimpleSettings>(table, settingId)) ?? { disabled: false };
}

/**
 * Switches passwords off or on.
 * @throws ApiError 400 where they are the only way in.
 */
export async function saveSimpleSettings(table: Table, actor: Actor, settings: SimpleSettings): Promise<void> {
  if (settings.disabled === true && !(await hasSingleSignOn(table))) {
    throw invalid('Passwords are the only way to sign in: enable SAML or OIDC first.', 'disabled');
  }
  await saveSetting(table, actor, settingId, settings);
}

/** Whether people sign in with passwords: they do for as long as there is no other way in, whatever was set. */
export async function takesPasswords(table: Table): Promise<boolean> {
  const [{ disabled }, hasOther] = await Promise.all([loadSimpleSettings(table), hasSingleSignOn(table)]);
  return disabled !== true || !hasOther;
}

async function hasSingleSignOn(table: Table): Promise<boolean> {
  const [saml, oidc] = await Promise.all([loadSamlSettings(table), loadOidcSettings(table)]);
  return saml.enabled === true || oidc.enabled === true;
}
