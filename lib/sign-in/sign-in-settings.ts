import { X509Certificate } from 'node:crypto';
import { type ErrorDetail, invalid, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { rootRoles } from '../identity/permissions.ts';
import { requireRoles } from '../people/roles/require-roles.ts';
import type { Request } from '../request.ts';
import { findSetting, readSetting, type SettingContents, saveSetting, settingKey } from '../settings/settings.ts';
import { type RightsCondition, rightsConditionOf } from '../store/transactions/authority.ts';
import type { Versioned, Versions } from '../store/transactions/versioned.ts';
import { isWebAddress } from '../values/web-address.ts';
import type { SimpleSettings } from './sign-in-schema.ts';
import type { OidcSettings, ShownOidcSettings } from './sso/oidc-settings-schema.ts';
import type { SamlSettings, ShownSamlSettings } from './sso/saml-settings-schema.ts';

/** Ids of the settings, under Unleash's names. */
const ids = {
  saml: 'unleash.enterprise.auth.saml',
  oidc: 'unleash.enterprise.auth.oidc',
  simple: 'unleash.auth.simple',
} as const;

/** The settings of the ways by which people sign on at an identity provider. */
interface SingleSignOn {
  readonly saml: SamlSettings;
  readonly oidc: OidcSettings;
}
export type Way = keyof SingleSignOn;

/** The settings as they are read. */
interface ReadSettings {
  readonly saml: ShownSamlSettings;
  readonly oidc: ShownOidcSettings;
  readonly simple: SimpleSettings;
}

const singleSignOnOff = { enabled: false, defaultRootRoleId: rootRoles.Viewer } as const;
/** The settings where none were ever stored: passwords alone, and users without a chosen role may read. */
const neverStored: ReadSettings = { saml: singleSignOnOff, oidc: singleSignOnOff, simple: { disabled: false } };

/** Returns the settings in the form that is stored and answered: clients send the role 0 if nobody has chosen one. */
export function withDefaultRole<T extends SamlSettings | OidcSettings>(settings: T): T {
  const { defaultRootRole = 'Viewer', defaultRootRoleId } = settings;
  return defaultRootRoleId === 0 ? { ...settings, defaultRootRoleId: rootRoles[defaultRootRole] } : settings;
}

/** Reads stored settings, with their version; clients read them before they first write. */
export function readSignInSettings<Of extends keyof ReadSettings>(request: Request, of: Of) {
  return readSetting<ReadSettings[Of]>(request, ids[of], neverStored[of]);
}

/** Loads the same without the version. */
export async function loadSignInSettings<Of extends keyof ReadSettings>(request: Request, of: Of) {
  return (await readSignInSettings(request, of)).value;
}

/** Loads the settings with which people can sign on; undefined if sign-on is off or something is missing. */
export async function findUsable<W extends Way>(
  request: Request,
  way: W,
): Promise<Versioned<SingleSignOn[W]> | undefined> {
  const found = await findSetting<SingleSignOn[W]>(request, ids[way]);
  return isUsable(found?.value) ? found : undefined;
}

/** Tells whether people can sign on with stored settings. */
export function isUsable(settings: Partial<SamlSettings | OidcSettings> | undefined): boolean {
  if (settings?.enabled !== true || missingIn(settings).length > 0) return false;
  if ('entityId' in settings)
    return isWebAddress(settings.signOnUrl ?? '') && certificateIn(settings.certificate ?? '') !== undefined;
  return isWebAddress((settings as Partial<OidcSettings>).discoverUrl ?? '');
}

/**
 * Returns the stored content of a setting without the client's secret; undefined where it has none. Without it, nobody
 * signs on.
 */
export function oidcWithoutSecret(id: string, content: string): string | undefined {
  if (id !== ids.oidc) return undefined;
  const settings: OidcSettings = JSON.parse(content);
  return settings.secret ? JSON.stringify({ ...settings, secret: '' }) : undefined;
}

/** Lists the settings that a sign-on needs and that are missing. */
function missingIn(settings: Partial<SamlSettings | OidcSettings>): string[] {
  const needed =
    'entityId' in settings ? ['entityId', 'signOnUrl', 'certificate'] : ['clientId', 'secret', 'discoverUrl'];
  const given: Readonly<Record<string, unknown>> = settings;
  return needed.filter((name) => String(given[name] ?? '').trim() === '');
}

/**
 * Returns a certificate as PEM, whether or not it has header lines, and with any line endings; undefined if it is none.
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
 * @throws ApiError 400 if they are enabled and incomplete, if the default role is no root role, and while passwords are
 * off, since a mistake would lock everybody out.
 */
export async function saveSingleSignOn<W extends Way>(request: Request, actor: Actor, way: W, given: SingleSignOn[W]) {
  const settings = withDefaultRole(given);
  assertComplete(settings);
  const { defaultRootRoleId: id } = settings;
  if (id !== undefined) await requireRoles(request, 'root', [{ id, path: 'defaultRootRoleId' }]);
  const other = ids[way === 'saml' ? 'oidc' : 'saml'];
  return saveSetting(request, actor, ids[way], settings, {
    ids: [ids.simple, other],
    assert: (found) => {
      if (isOfAdminToken(actor) || contentOf<SimpleSettings>(found, ids.simple)?.disabled !== true) return;
      if (!isUsable(settings) && !isUsable(contentOf(found, other))) return;
      throw invalid(
        'Password sign-in is disabled, so a mistake here would lock everybody out: enable it first, or send an admin token.',
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
 * Switches passwords off or on.
 * @param proof sign-on that proves the settings to work, in the form of `proofOf`; undefined if the caller did not sign
 * on that way.
 * @throws ApiError 400 if no other way in is known to work: passwords are switched off only by a user who has signed on
 * with settings unchanged since, or with an admin token, whose holder can switch them on again without signing in.
 */
export function saveSimpleSettings(
  request: Request,
  actor: Actor,
  settings: SimpleSettings,
  proof: string | undefined,
): Promise<Versioned<void>> {
  return saveSetting(request, actor, ids.simple, settings, {
    ids: [ids.saml, ids.oidc],
    assert: (found) => {
      if (settings.disabled !== true) return;
      const usable = (['saml', 'oidc'] as const).flatMap((way) => {
        const each = found.get(ids[way]);
        return each !== undefined && isUsable(each.value) ? [proofOf(way, each)] : [];
      });
      if (usable.length === 0) {
        throw invalid('Passwords are the only way to sign in: enable SAML or OIDC first.', 'disabled');
      }
      if (isOfAdminToken(actor) || usable.some((each) => each === proof)) return;
      const message =
        'Sign in with the current SAML or OIDC settings first, to prove that they work, or send an admin token.';
      throw invalid(message, 'disabled');
    },
  });
}

/** Returns the proof that a sign-on gives: that these settings work. */
export function proofOf(way: Way, { version }: Pick<Versioned<object>, 'version'>): string {
  return `${way} ${version}`;
}

/** Returns the condition that the settings of a way are those that were read. */
export function settingsConditionOf(way: Way, settings: Versions): RightsCondition {
  return rightsConditionOf(settingKey(ids[way]), settings);
}

/** Tells whether an admin token acts: these belong to no user, and need no sign-in. */
const isOfAdminToken = ({ id }: Actor) => id <= 0;

function contentOf<T extends object>(found: SettingContents, id: string): Partial<T> | undefined {
  return found.get(id)?.value as Partial<T> | undefined;
}
