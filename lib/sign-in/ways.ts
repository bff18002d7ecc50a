import { invalid } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { SimpleSettings } from '../schemas/simple-settings.ts';
import { loadOidcSettings } from '../settings/oidc-settings-store.ts';
import { loadSamlSettings } from '../settings/saml-settings-store.ts';
import { loadSetting, saveSetting } from '../settings/settings.ts';
import type { Table } from '../table/table.ts';
import { remember } from '../users/identity-memory.ts';

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

/** How people sign in, as a login page asks. */
export interface WaysIn {
  readonly hasPasswords: boolean;
  /** Where sign-ons at identity providers begin. */
  readonly options: readonly { readonly type: string; readonly message: string; readonly path: string }[];
}

/** How people sign in. Anybody may ask, so that it is remembered: what has changed is known within `identityTrustMs`. */
export async function waysIn(table: Table): Promise<WaysIn> {
  const read = async () => {
    const [hasPasswords, saml, oidc] = await Promise.all([
      takesPasswords(table),
      loadSamlSettings(table),
      loadOidcSettings(table),
    ]);
    const options = [
      ...(saml.enabled === true ? [{ type: 'saml', message: 'Sign in with SAML', path: '/auth/saml/login' }] : []),
      ...(oidc.enabled === true
        ? [{ type: 'oidc', message: 'Sign in with OpenID Connect', path: '/auth/oidc/login' }]
        : []),
    ];
    return { hasPasswords, options };
  };
  return (await remember(table, 'ways to sign in', read)) ?? { hasPasswords: true, options: [] };
}

async function hasSingleSignOn(table: Table): Promise<boolean> {
  const [saml, oidc] = await Promise.all([loadSamlSettings(table), loadOidcSettings(table)]);
  return saml.enabled === true || oidc.enabled === true;
}
