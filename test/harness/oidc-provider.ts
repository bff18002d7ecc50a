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
 * Has a user sign on there, and returns the path to which it sends them back.
 * @param claims what it says of them, in place of what it should.
 * @param more what its user info endpoint says besides.
 */
export async function signOnAt(
  { headers }: Reply,
  claims: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const service = await provider();
  service.removeAllListeners('beforeUserinfo');
  service.on('beforeUserinfo', (answer: { body: object }) => void Object.assign(answer.body, more));
  service.removeAllListeners('beforeTokenSigning');
  service.on('beforeTokenSigning', (token: { payload: object }) => void Object.assign(token.payload, claims));
  const answer = await fetch(headers.location ?? '', { redirect: 'manual' });
  const back = new URL(answer.headers.get('location') ?? '');
  return back.pathname + back.search;
}
