import type { Profile, SAML } from '@node-saml/node-saml';
import type { Request } from '../../request.ts';
import type { Versioned } from '../../store/transactions/versioned.ts';
import { recordRefusals } from '../history.ts';
import type { Browser, SignedIn } from '../sign-in.ts';
import { certificateIn, findUsable, loadSignInSettings, proofOf } from '../sign-in-settings.ts';
import { admit } from './admit.ts';
import { externalGroups } from './external-groups.ts';
import { type Identity, signOnIdentityOf } from './identity.ts';
import { refuseSignOn } from './refusal.ts';
import { beginRequest, findRequest, randomText, requestUsed } from './requests.ts';
import { clockSkewMs, findAnsweredRequest } from './saml-answer.ts';
import type { SamlSettings } from './saml-settings-schema.ts';
import { assertPlain } from './saml-xml.ts';

const callbackOf = (origin: string) => `${origin}/auth/saml/callback`;

/** Start of a sign-on by SAML: the URL to send the browser to, and the nonce that it keeps. */
export interface SamlStart {
  readonly url: string;
  readonly nonce: string;
}

/**
 * Begins a sign-on.
 * @param origin base URL of the service, which is its name for the identity provider.
 * @throws ApiError 404 if SAML is off.
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
 * Signs in the user whom an assertion names. The assertion must be signed by the identity provider, be for this
 * service, still be valid, and say in its signed part that it answers a sign-on that was begun here and has not been
 * answered yet.
 * @param nonce secret that the browser kept; undefined without TLS, when it could keep none.
 * @throws ApiError 401 with the same message for every fault, which only the log names; 404 if SAML is off.
 */
export async function finishSaml(
  request: Request,
  origin: string,
  samlResponse: string,
  nonce: string | undefined,
  browser: Browser,
): Promise<SignedIn> {
  const attempt = { way: 'saml', address: browser.address } as const;
  const answer = await recordRefusals(request, attempt, () => validAnswer(request, origin, samlResponse, nonce));
  const { identity, settings, requestId, signedOnBy } = answer;
  const { signOutUrl } = settings.value;
  const signOn = { signedOnBy, ...(signOutUrl && { signOutUrl }) };
  return admit(request, identity, settings, { way: 'saml', browser, used: requestUsed(requestId), signOn });
}

/** Validates the answer of the identity provider and returns the user that it names. */
async function validAnswer(request: Request, origin: string, samlResponse: string, nonce: string | undefined) {
  const current = await requireOn(request);
  const { value: settings } = current;
  const { entityId } = settings;
  const profile = await validProfile(await providerOf(settings, origin), samlResponse);
  if (profile.issuer !== entityId) throw refuseSignOn('The assertion has another issuer.');
  const expected = { callback: callbackOf(origin), entityId };
  const { Assertion: assertion } = profile.getAssertion?.() ?? {};
  const requestId = await findAnsweredRequest(assertion, profile.getSamlResponseXml?.() ?? '', expected);
  const asked = await findRequest(request, requestId);
  if (asked === undefined) throw refuseSignOn('No sign-on is waiting for this assertion.');
  if (origin.startsWith('https:') && nonce !== asked.nonce)
    throw refuseSignOn('Another browser has begun the sign-on.');
  return { identity: namedBy(profile, settings), settings: current, requestId, signedOnBy: proofOf('saml', current) };
}

/** Returns the metadata of this service for an identity provider, as XML. */
export async function samlMetadata(request: Request, origin: string): Promise<string> {
  const { entityId = '', signOnUrl = '', certificate = 'none' } = await loadSignInSettings(request, 'saml');
  return (await providerOf({ entityId, signOnUrl, certificate }, origin)).generateServiceProviderMetadata(null, null);
}

async function requireOn(request: Request): Promise<Versioned<SamlSettings>> {
  const found = await findUsable(request, 'saml');
  if (found === undefined) throw refuseSignOn('Single sign-on by SAML is off, or its settings are not complete.');
  return found;
}

async function providerOf(
  { entityId, signOnUrl, certificate }: Pick<SamlSettings, 'entityId' | 'signOnUrl' | 'certificate'>,
  origin: string,
  id?: string,
): Promise<SAML> {
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  return new SAML({
    // The library takes no other form than PEM, and what people paste has many.
    idpCert: certificateIn(certificate) ?? certificate,
    idpIssuer: entityId,
    entryPoint: signOnUrl,
    issuer: origin,
    audience: origin,
    callbackUrl: callbackOf(origin),
    wantAssertionsSigned: true,
    // Identity providers sign the assertion, the response or both; the assertion is what counts.
    wantAuthnResponseSigned: false,
    // It would take the request from what is not signed.
    validateInResponseTo: ValidateInResponseTo.never,
    acceptedClockSkewMs: clockSkewMs,
    // The identity provider decides how people sign in.
    disableRequestedAuthnContext: true,
    identifierFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    ...(id !== undefined && { generateUniqueId: () => id }),
  });
}

async function validProfile(saml: SAML, SAMLResponse: string): Promise<Profile> {
  assertPlain(Buffer.from(SAMLResponse, 'base64').toString());
  try {
    const { profile, loggedOut } = await saml.validatePostResponseAsync({ SAMLResponse });
    if (profile === null || loggedOut) throw new Error('it holds no assertion');
    return profile;
  } catch (error) {
    // What follows the first sentence quotes the assertion, which anybody can have written.
    const [what = ''] = (error instanceof Error ? error.message : String(error)).split(/[.:] /);
    throw refuseSignOn(`The assertion is not valid: ${what.slice(0, 100)}.`);
  }
}

/** The names of an address among the attributes of well-known identity providers. */
const emailNames = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];

function namedBy(profile: Profile, { enableGroupSyncing, groupJsonPath }: SamlSettings): Identity {
  const email = emailNames.map((name) => profile[name]).find((value) => typeof value === 'string');
  const names = [profile.firstName, profile.lastName].filter((each) => typeof each === 'string');
  const groups = enableGroupSyncing === true ? externalGroups(profile.attributes, groupJsonPath) : undefined;
  return signOnIdentityOf(email ?? profile.nameID, names.join(' '), groups);
}
