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
import { readExternalGroups } from './external-groups.ts';
import { type Identity, signOnIdentityOf } from './identity.ts';
import type { OidcSettings } from './oidc-settings-schema.ts';
import { buildProviderError, refuseSignOn } from './refusal.ts';
import { beginRequest, buildSignOnRemoval, findRequest, randomText } from './requests.ts';

/** The start of a sign-on with OIDC: the URL to redirect the browser to, and the state that the browser stores. */
export interface OidcStart {
  readonly url: string;
  readonly state: string;
}

type Claims = Readonly<Record<string, unknown>>;

const callbackOf = (origin: string) => `${origin}/auth/oidc/callback`;

/**
 * Starts a sign-on.
 * @throws ApiError 401 if it is off, and, with another message, if the identity provider cannot be used; the log has the reason.
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
 * Signs in the user of a code from the identity provider. The code must answer a sign-on that this browser began and that has not been
 * answered yet. The token for the code must be for that sign-on and for this service.
 * @param query of the address to which the browser was redirected.
 * @param storedState the state that the browser stored.
 * @throws ApiError 401 with the same message for every error; the log has the reason.
 */
export async function finishOidc(
  request: Request,
  origin: string,
  query: Readonly<Record<string, string>>,
  storedState: string | undefined,
  browser: Browser,
): Promise<SignedIn> {
  const attempt = { way: 'oidc', address: browser.address } as const;
  const answer = await recordRefusals(request, attempt, () => validateAnswer(request, origin, query, storedState));
  const { identity, settings, state, signOn } = answer;
  return admit(request, identity, settings, { way: 'oidc', browser, used: buildSignOnRemoval(state), signOn });
}

/** Validates the answer of the identity provider, and returns the user that it names. */
async function validateAnswer(
  request: Request,
  origin: string,
  query: Readonly<Record<string, string>>,
  storedState: string | undefined,
) {
  const current = await requireOn(request);
  const { value: settings } = current;
  const state = query.state ?? '';
  if (storedState === undefined || storedState !== state) throw refuseSignOn('Another browser began the sign-on.');
  const signOnRequest = await findRequest(request, state);
  if (signOnRequest === undefined) throw refuseSignOn('No sign-on is waiting for this answer.');
  const provider = await discover(settings);
  const url = new URL(callbackOf(origin));
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const answer = await authorizationCodeGrant(provider, url, {
    expectedState: state,
    expectedNonce: signOnRequest.nonce,
    ...(signOnRequest.codeVerifier !== undefined && { pkceCodeVerifier: signOnRequest.codeVerifier }),
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
  const loadUserInfo = () => fetchClaims(provider, answer.access_token, String(claims.sub));
  return { identity: await identityIn(claims, settings, loadUserInfo), settings: current, state, signOn };
}

/** Returns the user of the claims. The user info endpoint of the provider often has more claims than the token. */
async function identityIn(
  claims: Claims,
  { enableGroupSyncing, groupJsonPath }: OidcSettings,
  loadUserInfo: () => Promise<Claims>,
): Promise<Identity> {
  // The claim that the address is verified is in the same place as the address.
  const person = claims.email === undefined ? await loadUserInfo() : claims;
  assertVerified(person);
  // Entra ID has another subject for each application; `oid` is the object id, which it sends by SCIM.
  const ids = [claims.oid, claims.sub];
  if (enableGroupSyncing !== true) return signOnIdentityOf(person.email, person.name, undefined, ids);
  const inToken = readExternalGroups(claims, groupJsonPath);
  const groups = inToken?.length === 0 ? readExternalGroups(await loadUserInfo(), groupJsonPath) : inToken;
  return signOnIdentityOf(person.email, person.name, groups, ids);
}

async function fetchClaims(provider: Configuration, accessToken: string, subject: string): Promise<Claims> {
  if (provider.serverMetadata().userinfo_endpoint === undefined) return {};
  return fetchUserInfo(provider, accessToken, subject).catch((error: unknown) => {
    throw refuseSignOn(`The identity provider did not return the user: ${describe(error)}.`);
  });
}

async function requireOn(request: Request): Promise<Versioned<OidcSettings>> {
  const settings = await findUsable(request, 'oidc');
  if (settings === undefined) throw refuseSignOn('Single sign-on by OIDC is off, or its settings are not complete.');
  return settings;
}

/** The time for a provider to answer: a user waits, and API Gateway gives up after 30 seconds. */
const providerSeconds = 8;

/** The lifetime of the cached metadata of a provider, which rarely change. */
const cacheMs = 10 * 60_000;
let cached: { readonly key: string; readonly at: number; readonly provider: Configuration } | undefined;

async function discover(settings: OidcSettings): Promise<Configuration> {
  const { discoverUrl = '', clientId, secret, idTokenSigningAlgorithm } = settings;
  const key = JSON.stringify([discoverUrl, clientId, secret, idTokenSigningAlgorithm]);
  if (cached?.key === key && Date.now() - cached.at < cacheMs) return cached.provider;
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
        // ID tokens must be signed with a key that the provider publishes. Without TLS, only loopback addresses are allowed, for tests.
        execute: [enableNonRepudiationChecks, ...(isLoopback(url.hostname) ? [allowInsecureRequests] : [])],
      },
    );
    cached = { key, at: Date.now(), provider };
    return provider;
  } catch (error) {
    throw buildProviderError(`The metadata of the identity provider cannot be loaded: ${describe(error)}.`);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Providers omit `email_verified`, or send it as text. Any value other than true means that the address is not verified.
 */
function assertVerified({ email_verified: isVerified }: Claims): void {
  if (isVerified === undefined || isVerified === true || isVerified === 'true') return;
  throw refuseSignOn('The identity provider has not verified the e-mail address.');
}
