import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomPKCECodeVerifier,
} from 'openid-client';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { isLoopback } from '../../values/web-address.ts';
import { recordRefusals } from '../history.ts';
import type { Browser, SignedIn } from '../sign-in.ts';
import { findUsable, proofOf } from '../sign-in-settings.ts';
import { admit } from './admit.ts';
import { externalGroups } from './external-groups.ts';
import { type Identity, signOnIdentityOf } from './identity.ts';
import type { OidcSettings } from './oidc-settings-schema.ts';
import { refuseSignOn, unusable } from './refusal.ts';
import { beginRequest, findRequest, randomText, requestUsed } from './requests.ts';

/** Start of a sign-on by OIDC: the URL to send the browser to, and the state that it keeps. */
export interface OidcStart {
  readonly url: string;
  readonly state: string;
}

type Claims = Readonly<Record<string, unknown>>;

const callbackOf = (origin: string) => `${origin}/auth/oidc/callback`;

/**
 * Begins a sign-on.
 * @throws ApiError 401 if it is off, and, with another message, if the identity provider cannot be used; the log says
 * why.
 */
export async function beginOidc(request: Request, origin: string): Promise<OidcStart> {
  const { value: settings } = await requireOn(request);
  const provider = await discover(settings);
  const [state, nonce, codeVerifier] = [randomText(), randomText(), randomPKCECodeVerifier()];
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: callbackOf(origin),
    scope: `openid email profile${settings.addGroupsScope === true ? ' groups' : ''}`,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(settings.acrValues && { acr_values: settings.acrValues }),
  });
  await beginRequest(request, state, { nonce, codeVerifier });
  return { url: url.href, state };
}

/**
 * Signs the user in for whom the identity provider has sent a code. The answer must be to a sign-on that this very
 * browser has begun and that was not answered yet; the token behind the code must be for it and for this service.
 * @param query of the address to which the browser was sent back.
 * @param kept the state that the browser has kept.
 * @throws ApiError 401 in the same words for whatever is wrong, which the log says.
 */
export async function finishOidc(
  request: Request,
  origin: string,
  query: Readonly<Record<string, string>>,
  kept: string | undefined,
  browser: Browser,
): Promise<SignedIn> {
  const attempt = { way: 'oidc', address: browser.address } as const;
  const answer = await recordRefusals(request, attempt, () => validAnswer(request, origin, query, kept));
  const { identity, settings, state, signOn } = answer;
  return admit(request, identity, settings, { way: 'oidc', browser, used: requestUsed(state), signOn });
}

/** Validates the answer of the identity provider and returns the user that it names. */
async function validAnswer(
  request: Request,
  origin: string,
  query: Readonly<Record<string, string>>,
  kept: string | undefined,
) {
  const current = await requireOn(request);
  const { value: settings } = current;
  const state = query.state ?? '';
  if (kept === undefined || kept !== state) throw refuseSignOn('Another browser has begun the sign-on.');
  const asked = await findRequest(request, state);
  if (asked === undefined) throw refuseSignOn('No sign-on is waiting for this answer.');
  const provider = await discover(settings);
  const url = new URL(callbackOf(origin));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const answer = await authorizationCodeGrant(provider, url, {
    expectedState: state,
    expectedNonce: asked.nonce,
    ...(asked.codeVerifier !== undefined && { pkceCodeVerifier: asked.codeVerifier }),
    idTokenExpected: true,
  }).catch((error: unknown) => {
    throw refuseSignOn(`The answer of the identity provider is not valid: ${describe(error)}.`);
  });
  const signOutUrl =
    settings.enableSingleSignOut && provider.serverMetadata().end_session_endpoint !== undefined
      ? buildEndSessionUrl(provider, { ...(answer.id_token && { id_token_hint: answer.id_token }) }).href
      : undefined;
  const signOn = { signedOnBy: proofOf('oidc', current), ...(signOutUrl && { signOutUrl }) };
  const claims: Claims = answer.claims() ?? {};
  const more = () => userInfo(provider, answer.access_token, String(claims.sub));
  return { identity: await identityIn(claims, settings, more), settings: current, state, signOn };
}

/** @param more reads the claims of the provider's user info endpoint, which often has more than the token. */
async function identityIn(
  claims: Claims,
  { enableGroupSyncing, groupJsonPath }: OidcSettings,
  more: () => Promise<Claims>,
): Promise<Identity> {
  // Whether the address is verified stands where the address does.
  const person = claims.email === undefined ? await more() : claims;
  assertVerified(person);
  if (enableGroupSyncing !== true) return signOnIdentityOf(person.email, person.name, undefined);
  const inToken = externalGroups(claims, groupJsonPath);
  const groups = inToken?.length === 0 ? externalGroups(await more(), groupJsonPath) : inToken;
  return signOnIdentityOf(person.email, person.name, groups);
}

async function userInfo(provider: Configuration, accessToken: string, subject: string): Promise<Claims> {
  if (provider.serverMetadata().userinfo_endpoint === undefined) return {};
  return fetchUserInfo(provider, accessToken, subject).catch((error: unknown) => {
    throw refuseSignOn(`The identity provider does not say who it is: ${describe(error)}.`);
  });
}

async function requireOn(request: Request): Promise<Versioned<OidcSettings>> {
  const found = await findUsable(request, 'oidc');
  if (found === undefined) throw refuseSignOn('Single sign-on by OIDC is off, or its settings are not complete.');
  return found;
}

/** Time that a provider has to answer: a user waits, and API Gateway gives up after 30 seconds. */
const providerSeconds = 8;

/** Lifetime of the cached metadata of a provider, which seldom changes. */
const trustMs = 10 * 60_000;
let known: { readonly of: string; readonly at: number; readonly provider: Configuration } | undefined;

async function discover(settings: OidcSettings): Promise<Configuration> {
  const { discoverUrl = '', clientId, secret, idTokenSigningAlgorithm } = settings;
  const of = JSON.stringify([discoverUrl, clientId, secret, idTokenSigningAlgorithm]);
  if (known?.of === of && Date.now() - known.at < trustMs) return known.provider;
  const url = URL.parse(discoverUrl);
  if (url === null) throw refuseSignOn('The settings name no identity provider.');
  try {
    const provider = await discovery(
      url,
      clientId,
      {
        client_secret: secret,
        ...(idTokenSigningAlgorithm && { id_token_signed_response_alg: idTokenSigningAlgorithm }),
      },
      undefined,
      {
        timeout: providerSeconds,
        // ID tokens must be signed by a key that the provider publishes. Without TLS, only this machine is asked, to try it.
        execute: [enableNonRepudiationChecks, ...(isLoopback(url.hostname) ? [allowInsecureRequests] : [])],
      },
    );
    known = { of, at: Date.now(), provider };
    return provider;
  } catch (error) {
    throw unusable(`The identity provider does not say what it is: ${describe(error)}.`);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Providers leave `email_verified` out, or send it as a text; anything but these says that the address is not verified.
 */
function assertVerified({ email_verified: isVerified }: Claims): void {
  if (isVerified === undefined || isVerified === true || isVerified === 'true') return;
  throw refuseSignOn('The identity provider has not verified the e-mail address.');
}
