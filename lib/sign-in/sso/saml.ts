import type { Profile, SAML } from '@node-saml/node-saml';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { recordRefusals } from '../history.ts';
import type { Browser, SignedIn } from '../sign-in.ts';
import { certificateIn, findUsable, loadSignInSettings, proofOf } from '../sign-in-settings.ts';
import { admit } from './admit.ts';
import { readExternalGroups } from './external-groups.ts';
import { type Identity, signOnIdentityOf } from './identity.ts';
import { refuseSignOn } from './refusal.ts';
import { beginRequest, buildSignOnRemoval, findRequest, randomText } from './requests.ts';
import { clockSkewMs, findAnsweredRequest } from './saml-answer.ts';
import type { SamlSettings } from './saml-settings-schema.ts';
import { assertPlain } from './saml-xml.ts';

const callbackOf = (origin: string) => `${origin}/auth/saml/callback`;

/** The start of a sign-on with SAML: the URL to redirect the browser to, and the nonce that the browser stores. */
export interface SamlStart {
  readonly url: string;
  readonly nonce: string;
}

/**
 * Starts a sign-on.
 * @param origin the base URL of the service, which is its entity id for the identity provider.
 * @throws ApiError 401 if SAML is off.
 */
export async function beginSaml(request: Request, origin: string): Promise<SamlStart> {
  const { value: settings } = await requireOn(request);
  const [id, nonce] = [randomText(), randomText()];
  const saml = await providerOf(settings, origin, id);
  const url = await saml.getAuthorizeUrlAsync('', undefined, {});
  await beginRequest(request, id, { nonce });
  return { url, nonce };
}

/**
 * Signs in the user of an assertion. The identity provider must have signed the assertion; it must be for this service and still be
 * valid; and its signed part must answer a sign-on that was begun here and has not been answered yet.
 * @param nonce the secret that the browser stored; undefined without TLS, since the browser could not store it.
 * @throws ApiError 401 with the same message for every error, and if SAML is off; the log has the reason.
 */
export async function finishSaml(
  request: Request,
  origin: string,
  samlResponse: string,
  nonce: string | undefined,
  browser: Browser,
): Promise<SignedIn> {
  const attempt = { way: 'saml', address: browser.address } as const;
  const answer = await recordRefusals(request, attempt, () => validateAnswer(request, origin, samlResponse, nonce));
  const { identity, settings, requestId, signedOnBy } = answer;
  const { signOutUrl } = settings.value;
  const signOn = { signedOnBy, ...(signOutUrl && { signOutUrl }) };
  return admit(request, identity, settings, { way: 'saml', browser, used: buildSignOnRemoval(requestId), signOn });
}

/** Validates the answer of the identity provider, and returns the user that it names. */
async function validateAnswer(request: Request, origin: string, samlResponse: string, nonce: string | undefined) {
  const current = await requireOn(request);
  const { value: settings } = current;
  const { entityId } = settings;
  const profile = await validateProfile(await providerOf(settings, origin), samlResponse);
  if (profile.issuer !== entityId) throw refuseSignOn('The assertion has another issuer.');
  const expected = { callback: callbackOf(origin), entityId };
  const { Assertion: assertion } = profile.getAssertion?.() ?? {};
  const requestId = await findAnsweredRequest(assertion, profile.getSamlResponseXml?.() ?? '', expected);
  const signOnRequest = await findRequest(request, requestId);
  if (signOnRequest === undefined) throw refuseSignOn('No sign-on is waiting for this assertion.');
  if (origin.startsWith('https:') && nonce !== signOnRequest.nonce)
    throw refuseSignOn('Another browser began the sign-on.');
  return {
    identity: identityOf(profile, settings),
    settings: current,
    requestId,
    signedOnBy: proofOf('saml', current),
  };
}

/** Returns the SAML metadata of this service as XML, for an identity provider. */
export async function buildSamlMetadata(request: Request, origin: string): Promise<string> {
  const { entityId = '', signOnUrl = '', certificate = 'none' } = await loadSignInSettings(request, 'saml');
  return (await providerOf({ entityId, signOnUrl, certificate }, origin)).generateServiceProviderMetadata(null, null);
}

async function requireOn(request: Request): Promise<Versioned<SamlSettings>> {
  const settings = await findUsable(request, 'saml');
  if (settings === undefined) throw refuseSignOn('Single sign-on by SAML is off, or its settings are not complete.');
  return settings;
}

async function providerOf(
  { entityId, signOnUrl, certificate }: Pick<SamlSettings, 'entityId' | 'signOnUrl' | 'certificate'>,
  origin: string,
  id?: string,
): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  return new SAML({
    // The library requires PEM, but people paste certificates in many forms.
    idpCert: certificateIn(certificate) ?? certificate,
    idpIssuer: entityId,
    entryPoint: signOnUrl,
    issuer: origin,
    audience: origin,
    callbackUrl: callbackOf(origin),
    wantAssertionsSigned: true,
    // Identity providers sign the assertion, the response or both. Only the assertion is used.
    wantAuthnResponseSigned: false,
    // The library would read the request from the unsigned part.
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: clockSkewMs,
    // The identity provider decides how people sign in.
    disableRequestedAuthnContext: true,
    identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    ...(id !== undefined && { generateUniqueId: () => id }),
  });
}

async function validateProfile(saml: SAML, SAMLResponse: string): Promise<Profile> {
  assertPlain(Buffer.from(SAMLResponse, 'base64').toString());
  try {
    const { profile, loggedOut } = await saml.validatePostResponseAsync({ SAMLResponse });
    if (profile === null || loggedOut) throw new Error('it contains no assertion');
    return profile;
  } catch (error) {
    // After the first sentence, the message quotes the assertion, which anyone could have written.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/[.:] /);
    throw refuseSignOn(`The assertion is not valid: ${sentence.slice(0, 100)}.`);
  }
}

/** The attribute names that well-known identity providers use for the e-mail address. */
const emailNames = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

/** The attribute with the object id of a user in Entra ID, which it sends by SCIM. */
const objectId = 'http://schemas.microsoft.com/identity/claims/objectidentifier';

function identityOf(profile: Profile, { enableGroupSyncing, groupJsonPath }: SamlSettings): Identity {
  const email = emailNames.map((name) => profile[name]).find((value) => typeof value === 'string');
  const names = [profile.firstName, profile.lastName].filter((name) => typeof name === 'string');
  const groups = enableGroupSyncing === true ? readExternalGroups(profile.attributes, groupJsonPath) : undefined;
  return signOnIdentityOf(email ?? profile.nameID, names.join(' '), groups, [profile[objectId], profile.nameID]);
}
