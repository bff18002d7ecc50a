import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server';
import type { Reply } from './gateway.ts';

/** The identity provider of the tests, one for each process. */
let started: Promise<OAuth2Service> | undefined;

async function start(): Promise<OAuth2Service> {
  const issuer = new OAuth2Issuer();
  await issuer.keys.generate('RS256');
  const service = new OAuth2Service(issuer);
  // Providers list it, also where nobody should use it.
  service.on('beforeWellKnownOpenIdConfiguration', ({ body }: { body: object }) => {
    Object.assign(body, { id_token_signing_alg_values_supported: ['RS256', 'none'] });
  });
  const server = createServer(service.requestHandler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It goes with its process.
  server.unref();
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

function provider(): Promise<OAuth2Service> {
  started ??= start();
  return started;
}

/** The settings that name it. */
export async function oidcProviderSettings() {
  const { issuer } = await provider();
  return {
    enabled: true,
    clientId: 'client-of-tests',
    secret: 'a-secret-of-the-client',
    discoverUrl: String(issuer.url),
    autoCreate: true,
    emailDomains: 'example.com',
    defaultRootRole: 'Editor',
    enableSingleSignOut: true,
  };
}

/**
 * Signs a user on there, and returns the path to which it sends them back.
 * @param claims claims that replace the right ones.
 * @param more claims of its user info endpoint.
 * @param edit changes the ID token after it was signed.
 */
export async function signOnAt(
  { headers }: Reply,
  claims: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
  edit: (idToken: string) => string = (idToken) => idToken,
): Promise<string> {
  const service = await provider();
  service.removeAllListeners('beforeUserinfo');
  service.on('beforeUserinfo', (answer: { body: object }) => void Object.assign(answer.body, more));
  service.removeAllListeners('beforeTokenSigning');
  service.on('beforeTokenSigning', (token: { payload: object }) => void Object.assign(token.payload, claims));
  service.removeAllListeners('beforeResponse');
  service.on('beforeResponse', ({ body }: { body: { id_token: string } }) => {
    body.id_token = edit(body.id_token);
  });
  const answer = await fetch(headers.location ?? '', { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  return back.pathname + back.search;
}

/** Signs every browser on from now on as somebody with these claims, or refuses it with an error of OAuth. */
export async function answerBrowsers(answer: Readonly<Record<string, unknown>> | string): Promise<void> {
  const service = await provider();
  service.removeAllListeners();
  service.on('beforeTokenSigning', (token: { payload: object }) => void Object.assign(token.payload, answer));
  service.on('beforeAuthorizeRedirect', ({ url }: { url: URL }) => {
    if (typeof answer !== 'string') return;
    url.searchParams.delete('code');
    url.searchParams.set('error', answer);
  });
}

/** The same ID token, signed by a key that the provider does not have, under the name of its own. */
export function signedByAnother(idToken: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const said = idToken.slice(0, idToken.lastIndexOf('.'));
  return `${said}.${sign('sha256', Buffer.from(said), privateKey).toString('base64url')}`;
}

/** The same ID token, by which nobody has signed anything. */
export function unsigned(idToken: string): string {
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${idToken.split('.')[1]}.`;
}

/** An ID token that says something else than what was signed. */
export function changed(claims: object): (idToken: string) => string {
  return (idToken) => {
    const [header, payload = '', signature] = idToken.split('.');
    return [
      header,
      encoded({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims }),
      signature,
    ].join('.');
  };
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
