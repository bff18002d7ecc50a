import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import samlify from 'samlify';
import { certificate, privateKey } from '../fixtures/saml-provider.ts';
import type { Reply } from './gateway.ts';

const { IdentityProvider, ServiceProvider, setSchemaValidator, SamlLib } = samlify;

// We alone judge the messages that this provider builds.
setSchemaValidator({ validate: async () => 'skipped' });

const entityId = 'https://idp.example.com';
const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings';
const template = SamlLib.defaultLoginResponseTemplate.context;

/** The settings that name the identity provider of the tests. */
export const samlProviderSettings = {
  enabled: true,
  entityId,
  signOnUrl: `${entityId}/on`,
  signOutUrl: `${entityId}/off`,
  certificate,
  autoCreate: true,
  emailDomains: 'example.com',
  defaultRootRole: 'Editor',
};

/** Deviations of an assertion from a valid one. */
interface Statement {
  readonly requestId: string;
  readonly email: string;
  /** Base URL of the service. */
  readonly origin?: string;
  /** Intended recipient. */
  readonly audience?: string;
  readonly issuer?: string;
  /** Age of the assertion. */
  readonly ageMs?: number;
  readonly key?: string;
  readonly signatureAlgorithm?: string;
  /** Changes the assertion before it is signed. */
  readonly edit?: (xml: string) => string;
}

/** The id of the request that a reply sends a browser to the identity provider with. */
export function requestIdIn({ headers }: Pick<Reply, 'headers'>): string {
  const request = new URL(headers.location ?? '').searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(request, 'base64')).toString();
  return / ID="([^"]+)"/.exec(xml)?.[1] ?? '';
}

/** Returns the form that the identity provider has a browser post. */
export async function samlAnswer(statement: Statement): Promise<string> {
  return samlForm(await samlResponse(statement));
}

/** A page of the identity provider at which browsers sign on, until the block that uses it ends. */
interface SamlProvider extends AsyncDisposable {
  readonly signOnUrl: string;
}

/** Opens it, for a service and one person. */
export async function openSamlProvider(origin: string, email: string): Promise<SamlProvider> {
  const server = createServer(async ({ url = '', headers }, response) => {
    const requestId = requestIdIn({ headers: { location: `http://${headers.host}${url}` } });
    const answer = new URLSearchParams(await samlAnswer({ requestId, email, origin })).get('SAMLResponse');
    response.setHeader('content-type', 'text/html').end(`<!doctype html><html lang="en"><title>Sign on</title>
<link rel="icon" href="data:,"><form method="post" action="${origin}/auth/saml/callback">
<input type="hidden" name="SAMLResponse" value="${answer}"><button>Go on</button></form>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    signOnUrl: `http://127.0.0.1:${port}/on`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function samlForm(xml: string): string {
  return new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString();
}

/** The same, as XML. */
export async function samlResponse({
  requestId,
  email,
  origin = 'http://localhost',
  audience = origin,
  issuer = entityId,
  ageMs = 0,
  key = privateKey,
  signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  edit = (xml) => xml,
}: Statement): Promise<string> {
  const callback = `${origin}/auth/saml/callback`;
  const provider = IdentityProvider({
    entityID: issuer,
    privateKey: key,
    signingCert: certificate,
    requestSignatureAlgorithm: signatureAlgorithm,
    singleSignOnService: [{ Binding: `${bindings}:HTTP-Redirect`, Location: `${entityId}/on` }],
    singleLogoutService: [{ Binding: `${bindings}:HTTP-Redirect`, Location: `${entityId}/off` }],
    loginResponseTemplate: { context: template, attributes: [], additionalTemplates: {} as never },
  });
  const service = ServiceProvider({
    entityID: origin,
    assertionConsumerService: [{ Binding: `${bindings}:HTTP-POST`, Location: callback }],
    wantAssertionsSigned: true,
  });
  const at = (ms: number) => new Date(Date.now() - ageMs + ms).toISOString();
  const values = {
    ...{ ID: '_response', AssertionID: '_assertion', InResponseTo: requestId, Issuer: issuer },
    ...{ Destination: callback, SubjectRecipient: callback },
    ...{ Audience: audience, NameID: email, StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success' },
    NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    IssueInstant: at(0),
    ConditionsNotBefore: at(0),
    ConditionsNotOnOrAfter: at(300_000),
    SubjectConfirmationDataNotOnOrAfter: at(300_000),
    ...{ AuthnStatement: '', AttributeStatement: '' },
  };
  const { context } = await provider.createLoginResponse(
    service,
    { extract: { request: { id: requestId } } },
    'post',
    { email },
    (text: string) => ({ id: '_response', context: edit(SamlLib.replaceTagsByValue(text, values)) }),
  );
  return Buffer.from(context, 'base64').toString();
}
