import { refuseSignOn } from './refusal.ts';

/** The maximum difference between the clock of an identity provider and ours. */
export const clockSkewMs = 60_000;

/** The expected recipient and issuer of an answer. */
interface Expected {
  /** The address to which the answer is sent. */
  readonly callback: string;
  readonly entityId: string;
}

/**
 * Returns the id of the request that an assertion answers, from its signed part alone, since anyone could have written the rest. The
 * library does not check addresses and requests that an answer omits, so this function does.
 * @param assertion the signed assertion, as the library parsed it.
 * @param xml the whole answer.
 * @throws ApiError 401 if the answer reports no success, is for another service, or names no request; the log has the reason. Source:
 * SAML 2.0 profiles, section 4.1.4.3; core, section 3.2.2.
 */
export async function findAnsweredRequest(assertion: unknown, xml: string, expected: Expected): Promise<string> {
  const requestId = confirmedRequest(assertion, expected.callback);
  const { parseXml2JsFromString } = await import('@node-saml/node-saml/lib/xml.js');
  const response = child(await parseXml2JsFromString(xml), 'Response');
  const [issuer] = childrenOf(response, 'Issuer');
  const destination = attributeOf(response, 'Destination') ?? expected.callback;
  const status = attributeOf(child(child(response, 'Status'), 'StatusCode'), 'Value');
  if (status !== 'urn:oasis:names:tc:SAML:2.0:status:Success')
    throw refuseSignOn('The response does not report success.');
  if (destination !== expected.callback) throw refuseSignOn('The response is addressed to another service.');
  if (issuer !== undefined && textOf(issuer) !== expected.entityId)
    throw refuseSignOn('The response has another issuer.');
  if ((attributeOf(response, 'InResponseTo') ?? requestId) !== requestId) {
    throw refuseSignOn('The response and its assertion answer different requests.');
  }
  if (algorithmsIn(response).some((algorithm) => algorithm.endsWith('sha1'))) {
    throw refuseSignOn('The signature uses SHA-1, which is no longer safe.');
  }
  return requestId;
}

/** Returns the request in the signed part, if it confirms that the bearer of the assertion is its subject. */
function confirmedRequest(assertion: unknown, callback: string): string {
  const confirmations = childrenOf(child(assertion, 'Subject'), 'SubjectConfirmation')
    .filter((confirmation) => attributeOf(confirmation, 'Method') === 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
    .map((confirmation) => child(confirmation, 'SubjectConfirmationData'));
  const problems = confirmations.map((data) => problemOf(data, callback));
  const valid = confirmations[problems.indexOf(undefined)];
  const requestId = attributeOf(valid, 'InResponseTo');
  if (requestId !== undefined) return requestId;
  throw refuseSignOn(problems[0] ?? 'The assertion does not confirm its subject.');
}

function problemOf(data: unknown, callback: string): string | undefined {
  const now = Date.now();
  const end = Date.parse(attributeOf(data, 'NotOnOrAfter') ?? '');
  const start = Date.parse(attributeOf(data, 'NotBefore') ?? new Date(now).toISOString());
  if (attributeOf(data, 'Recipient') !== callback) return 'The assertion is addressed to another service.';
  // Comparisons with an invalid date are false.
  if (!(end > now - clockSkewMs && start <= now + clockSkewMs))
    return 'The confirmation of the subject is not valid now.';
  if (!attributeOf(data, 'InResponseTo')) return 'The assertion answers no sign-on that was begun here.';
  return undefined;
}

/** Lists the signature algorithms in an element and its descendants. */
function algorithmsIn(element: unknown): string[] {
  if (typeof element !== 'object' || element === null) return [];
  return Object.entries(element).flatMap(([name, inner]) =>
    name === 'SignatureMethod' || name === 'DigestMethod'
      ? [inner].flat().map((method) => attributeOf(method, 'Algorithm') ?? '')
      : algorithmsIn(inner),
  );
}

// The library parses an element to an object: attributes under `$`, text under `_`, and children by name.

function childrenOf(element: unknown, name: string): unknown[] {
  return Object(element)[name] ?? [];
}

function child(element: unknown, name: string): unknown {
  return [Object(element)[name]].flat()[0];
}

function attributeOf(element: unknown, name: string): string | undefined {
  return Object(element).$?.[name];
}

function textOf(element: unknown): string | undefined {
  return Object(element)._;
}
