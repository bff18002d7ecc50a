import { X509Certificate } from 'node:crypto';
import { type ErrorDetail, invalid, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { rootRoles } from '../identity/permissions.ts';
import { requireRoles } from '../people/roles/require-roles.ts';
import type { Request } from '../request.ts';
import { findSetting, readSetting, type SettingContents, saveSetting, settingKey } from '../settings/settings.ts';
import { rightsConditionOf } from '../store/transactions/authority.ts';
import type { Versioned, Versions } from '../store/transactions/versioned.ts';
import type { RightsCondition } from '../store/transactions/write.ts';
import { isWebAddress } from '../values/web-address.ts';
import type { SimpleSettings } from './sign-in-schema.ts';
import type { OidcSettings, ShownOidcSettings } from './sso/oidc-settings-schema.ts';
import type { SamlSettings, ShownSamlSettings } from './sso/saml-settings-schema.ts';

/** The ids of the settings, which are Unleash's names. */
const ids = {
  saml: 'unleash.enterprise.auth.saml',
  oidc: 'unleash.enterprise.auth.oidc',
  simple: 'unleash.auth.simple',
} as const;

/** The settings of single sign-on. */
interface SingleSignOn {
  readonly saml: SamlSettings;
  readonly oidc: OidcSettings;
}
export type Way = keyof SingleSignOn;

/** The settings in the form of replies. */
interface ReadSettings {
  readonly saml: ShownSamlSettings;
  readonly oidc: ShownOidcSettings;
  readonly simple: SimpleSettings;
}

const singleSignOnOff = { enabled: false, defaultRootRoleId: rootRoles.Viewer } as const;
/** The settings if none were stored: passwords only, and new users are Viewers. */
const defaultSettings: ReadSettings = { saml: singleSignOnOff, oidc: singleSignOnOff, simple: { disabled: false } };

/** Returns settings with an explicit default role: clients send the role id 0 if nobody has chosen a role. */
export function withDefaultRole<T extends SamlSettings | OidcSettings>(settings: T): T {
  const { defaultRootRole = 'Viewer', defaultRootRoleId } = settings;
  return defaultRootRoleId === 0 ? { ...settings, defaultRootRoleId: rootRoles[defaultRootRole] } : settings;
}

/** Loads stored settings with their version. Clients read them before they first write. */
export function readSignInSettings<Name extends keyof ReadSettings>(request: Request, name: Name) {
  return readSetting<ReadSettings[Name]>(request, ids[name], defaultSettings[name]);
}

/** Loads stored settings without their version. */
export async function loadSignInSettings<Name extends keyof ReadSettings>(request: Request, name: Name) {
  return (await readSignInSettings(request, name)).value;
}

/** Loads settings with which people can sign on; undefined if sign-on is off or something is missing. */
export async function findUsable<W extends Way>(
  request: Request,
  way: W,
): Promise<Versioned<SingleSignOn[W]> | undefined> {
  const settings = await findSetting<SingleSignOn[W]>(request, ids[way]);
  return isUsable(settings?.value) ? settings : undefined;
}

/** Returns true if people can sign on with stored settings. */
export function isUsable(settings: Partial<SamlSettings | OidcSettings> | undefined): boolean {
  if (settings?.enabled !== true || missingIn(settings).length > 0) return false;
  if ('entityId' in settings)
    return isWebAddress(settings.signOnUrl ?? '') && certificateIn(settings.certificate ?? '') !== undefined;
  return isWebAddress((settings as Partial<OidcSettings>).discoverUrl ?? '');
}

/**
 * Returns the stored content of the OIDC settings without the client secret; undefined for other settings and without a secret. Nobody
 * can sign on without it.
 */
export function oidcWithoutSecret(id: string, content: string): string | undefined {
  if (id !== ids.oidc) return undefined;
  const settings: OidcSettings = JSON.parse(content);
  return settings.secret ? JSON.stringify({ ...settings, secret: '' }) : undefined;
}

/** Lists required settings that are missing. */
function missingIn(settings: Partial<SamlSettings | OidcSettings>): string[] {
  const needed =
    'entityId' in settings ? ['entityId', 'signOnUrl', 'certificate'] : ['clientId', 'secret', 'discoverUrl'];
  const values: Readonly<Record<string, unknown>> = settings;
  return needed.filter((name) => String(values[name] ?? '').trim() === '');
}

/**
 * Returns a certificate in PEM, from text with or without header lines and with any line endings; undefined if it is not a certificate.
 */
export function certificateIn(text: string): string | undefined {
  try {
    return new X509Certificate(Buffer.from(text.replace(/-----[^-]+-----/g, ''), 'base64')).toString();
  } catch {
    return undefined;
  }
}

/**
 * Stores the settings of a way to sign on.
 * @throws ApiError 400 if they are enabled but incomplete, if the default role is not a root role, and while passwords are disabled,
 * since a mistake would lock everyone out.
 */
export async function saveSingleSignOn<W extends Way>(
  request: Request,
  actor: Actor,
  way: W,
  newSettings: SingleSignOn[W],
) {
  const settings = withDefaultRole(newSettings);
  assertComplete(settings);
  const { defaultRootRoleId: id } = settings;
  if (id !== undefined) await requireRoles(request, 'root', [{ id, path: 'defaultRootRoleId' }]);
  const other = ids[way === 'saml' ? 'oidc' : 'saml'];
  return saveSetting(request, actor, ids[way], settings, {
    ids: [ids.simple, other],
    assert: (settingContents) => {
      if (isOfAdminToken(actor) || contentOf<SimpleSettings>(settingContents, ids.simple)?.disabled !== true) return;
      if (!isUsable(settings) && !isUsable(contentOf(settingContents, other))) return;
      throw invalid(
        'Password sign-in is disabled, so a mistake here would lock everyone out: enable it first, or use an admin token.',
      );
    },
  });
}

function assertComplete(settings: SamlSettings | OidcSettings): void {
  if (settings.enabled !== true) return;
  const problems = missingIn(settings).map(
    (path): ErrorDetail => ({ path, message: 'It is required when single sign-on is enabled.' }),
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

/**
 * Turns password sign-in off or on.
 * @param proof the sign-on that proves that the settings work, in the form of `proofOf`; undefined if the caller did not sign on that
 * way.
 * @throws ApiError 400 if no other way to sign in is known to work. Passwords can be turned off only by a user who signed on with the
 * current settings, or with an admin token, with which they can be turned on again without signing in.
 */
export function saveSimpleSettings(
  request: Request,
  actor: Actor,
  settings: SimpleSettings,
  proof: string | undefined,
): Promise<Versioned<void>> {
  return saveSetting(request, actor, ids.simple, settings, {
    ids: [ids.saml, ids.oidc],
    assert: (settingContents) => {
      if (settings.disabled !== true) return;
      const usable = (['saml', 'oidc'] as const).flatMap((way) => {
        const setting = settingContents.get(ids[way]);
        return setting !== undefined && isUsable(setting.value) ? [proofOf(way, setting)] : [];
      });
      if (usable.length === 0) {
        throw invalid('Passwords are the only way to sign in: enable SAML or OIDC first.', 'disabled');
      }
      if (isOfAdminToken(actor) || usable.some((usableProof) => usableProof === proof)) return;
      const message =
        'Sign in with the current SAML or OIDC settings first, to prove that they work, or use an admin token.';
      throw invalid(message, 'disabled');
    },
  });
}

/** Returns the proof of a sign-on that these settings work. */
export function proofOf(way: Way, { version }: Pick<Versioned<object>, 'version'>): string {
  return `${way} ${version}`;
}

/** Returns the condition that the settings of a way have not changed since they were read. */
export function settingsConditionOf(way: Way, settings: Versions): RightsCondition {
  return rightsConditionOf(settingKey(ids[way]), settings);
}

/** Returns true for an admin token, which belongs to no user and needs no sign-in. */
const isOfAdminToken = ({ id }: Actor) => id <= 0;

function contentOf<T extends object>(settingContents: SettingContents, id: string): Partial<T> | undefined {
  return settingContents.get(id)?.value as Partial<T> | undefined;
}
