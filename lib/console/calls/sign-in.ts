import type { Role } from '../../people/roles/role-schema.ts';
import type { ShownScimSettings } from '../../people/scim-settings-schema.ts';
import type { ConsoleSessions } from '../../screens/sessions-schema.ts';
import type { ConsoleStart } from '../../screens/start-schema.ts';
import type { SimpleSettings } from '../../sign-in/sign-in-schema.ts';
import type { OidcSettings, ShownOidcSettings } from '../../sign-in/sso/oidc-settings-schema.ts';
import type { SamlSettings, ShownSamlSettings } from '../../sign-in/sso/saml-settings-schema.ts';
import { change, read } from '../data/declare-call.ts';

export const getConsoleStart = read<ConsoleStart>()('getConsoleStart', '/api/admin/console/start');

/** The person of a link to choose a password. */
export interface LinkedPerson {
  readonly name?: string;
  /** The user name of somebody without an e-mail address. */
  readonly email: string;
}
export const validateToken = read<LinkedPerson>()('validateToken', '/auth/reset/validate');
export const changePassword = change<unknown, { readonly token: string; readonly password: string }>()(
  'changePassword',
  'POST',
  '/auth/reset/password',
);
export const sendResetPasswordEmail = change<unknown, { readonly email: string }>()(
  'sendResetPasswordEmail',
  'POST',
  '/auth/reset/password-email',
);
export const login = change<unknown, { readonly username: string; readonly password: string }>()(
  'login',
  'POST',
  '/auth/simple/login',
);
export const validatePublicSignupToken = read<null>()('validatePublicSignupToken', '/invite/{token}/validate');
export const addPublicSignupTokenUser = change<
  unknown,
  { readonly email: string; readonly name: string; readonly password: string }
>()('addPublicSignupTokenUser', 'POST', '/invite/{token}/signup');

/** The roles, groups and projects of the reader. */
interface Profile {
  readonly rootRole: Role;
  readonly projects: readonly string[];
  readonly groups: readonly string[];
  readonly canChangePassword: boolean;
}
export const getProfile = read<Profile>()('getProfile', '/api/admin/user/profile');
export const getConsoleSessions = read<ConsoleSessions>()('getConsoleSessions', '/api/admin/console/sessions');
export const endConsoleSessions = change()('endConsoleSessions', 'DELETE', '/api/admin/console/sessions');
export const changeMyPassword = change<unknown, { readonly oldPassword: string; readonly password: string }>()(
  'changeMyPassword',
  'POST',
  '/api/admin/user/change-password',
);

const settings = '/api/admin/auth';
export const getSimpleSettings = read<SimpleSettings>()('getSimpleSettings', `${settings}/simple/settings`);
export const setSimpleSettings = change<unknown, SimpleSettings>()(
  'setSimpleSettings',
  'POST',
  `${settings}/simple/settings`,
);
export const getOidcSettings = read<ShownOidcSettings>()('getOidcSettings', `${settings}/oidc/settings`);
export const setOidcSettings = change<unknown, OidcSettings>()('setOidcSettings', 'POST', `${settings}/oidc/settings`);
export const getSamlSettings = read<ShownSamlSettings>()('getSamlSettings', `${settings}/saml/settings`);
export const setSamlSettings = change<unknown, SamlSettings>()('setSamlSettings', 'POST', `${settings}/saml/settings`);

const scim = '/api/admin/scim-settings';
export const getScimSettings = read<ShownScimSettings>()('getScimSettings', scim);
export const setScimSettings = change<ShownScimSettings, Pick<ShownScimSettings, 'enabled'>>()(
  'setScimSettings',
  'POST',
  scim,
);
export const generateNewScimToken = change<{ readonly token: string }>()(
  'generateNewScimToken',
  'POST',
  `${scim}/generate-new-token`,
);
