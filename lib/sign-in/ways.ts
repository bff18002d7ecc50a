import type { Actor } from '../events/actor.ts';
import { remember } from '../identity/identity-memory.ts';
import type { Request } from '../request.ts';
import type { Versioned } from '../store/transactions/versioned.ts';
import { findSession } from './sessions.ts';
import type { SimpleSettings } from './sign-in-schema.ts';
import { isUsable, loadSignInSettings, saveSimpleSettings } from './sign-in-settings.ts';

/**
 * Turns password sign-in off or on.
 * @param session the cookie of the caller.
 * @throws ApiError 400 if no other way to sign in is known to work; see `saveSimpleSettings`.
 */
export async function switchPasswords(
  request: Request,
  actor: Actor,
  settings: SimpleSettings,
  session: string | undefined,
): Promise<Versioned<void>> {
  const current = session === undefined ? undefined : await findSession(request, session);
  return saveSimpleSettings(request, actor, settings, current?.userId === actor.id ? current.signedOnBy : undefined);
}

/** Returns true if people can sign in with passwords. Without another way to sign in they always can, regardless of the settings. */
export async function takesPasswords(request: Request): Promise<boolean> {
  const [{ disabled }, hasOther] = await Promise.all([loadSignInSettings(request, 'simple'), hasSingleSignOn(request)]);
  return disabled !== true || !hasOther;
}

/** The ways to sign in, for a login page. */
export interface WaysIn {
  readonly hasPasswords: boolean;
  /** The paths that start a sign-on at an identity provider; omitted if there are none. */
  readonly options?: readonly { readonly type: string; readonly message: string; readonly path: string }[];
}

/** Returns the ways to sign in. They are cached, since anyone may request them: a change takes effect within `identityTrustMs`. */
export async function loadWaysIn(request: Request): Promise<WaysIn> {
  const load = async () => {
    const [hasPasswords, saml, oidc] = await Promise.all([
      takesPasswords(request),
      loadSignInSettings(request, 'saml'),
      loadSignInSettings(request, 'oidc'),
    ]);
    const options = [
      ...(isUsable(saml) ? [{ type: 'saml', message: 'Sign in with SAML', path: '/auth/saml/login' }] : []),
      ...(isUsable(oidc) ? [{ type: 'oidc', message: 'Sign in with OpenID Connect', path: '/auth/oidc/login' }] : []),
    ];
    return { hasPasswords, ...(options.length > 0 && { options }) };
  };
  return (await remember(request, 'ways to sign in', load)) ?? { hasPasswords: true };
}

async function hasSingleSignOn(request: Request): Promise<boolean> {
  const [saml, oidc] = await Promise.all([loadSignInSettings(request, 'saml'), loadSignInSettings(request, 'oidc')]);
  return isUsable(saml) || isUsable(oidc);
}
