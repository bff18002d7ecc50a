import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ensureUser } from '../../../lib/people/ensure-user.ts';
import { manageUser, switchScimTo } from '../../harness/managed.ts';
import { requestIdIn, samlAnswer, samlForm, samlProviderSettings, samlResponse } from '../../harness/saml-provider.ts';
import { freshService, type Service } from '../../harness/service.ts';
import { cookieIn, fromOwnPage } from '../../harness/sign-in.ts';
import { betweenReadAndWrite } from '../../harness/store-requests.ts';
import { specify } from '../../specifications/specify.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const anonymous = { token: null };

specify('finishSaml', {
  route: 'POST /auth/saml/callback',
  may: 'anyone',
  request: async (world) => {
    await world.ask('POST', '/api/admin/auth/saml/settings', samlProviderSettings);
    const requestId = requestIdIn(await world.ask('GET', '/auth/saml/login'));
    const body = await samlAnswer({ requestId, email: `${world.name('user')}@example.com` });
    // The user is created before their session begins.
    return { headers: { ...form, host: 'localhost' }, body, stages: 2 };
  },
  again: 401,
  waits: 7,
});

let service: Service;
async function open() {
  service = await freshService();
  await service.post('/api/admin/auth/saml/settings', samlProviderSettings);
}

const begin = async () => requestIdIn(await service.get('/auth/saml/login', anonymous));
const finish = (body: string, headers: object = {}) =>
  service.call('POST', '/auth/saml/callback', { ...anonymous, body, headers: { ...form, ...headers } });
const userOf = async (cookie: string) =>
  (await service.get('/api/admin/user', { ...anonymous, headers: { cookie } })).body.user;

describe('Signing on by SAML', () => {
  beforeEach(open);

  test('creates a user with the default role, and signs them in', async () => {
    const answer = await finish(await samlAnswer({ requestId: await begin(), email: 'zoe@example.com' }));
    expect(answer).toMatchObject({ status: 302, headers: { location: '/projects' } });
    expect(await userOf(cookieIn(answer))).toMatchObject({ email: 'zoe@example.com', rootRole: 2 });
  });

  test('signs in who is there already, with the role that they have, and ends at the identity provider', async () => {
    const { id } = await ensureUser(service.table, { username: 'bob@example.com', rootRole: 'Viewer' });
    const cookie = cookieIn(await finish(await samlAnswer({ requestId: await begin(), email: 'bob@example.com' })));
    expect(await userOf(cookie)).toMatchObject({ id, rootRole: 3 });
    const out = await service.call('POST', '/logout', { ...anonymous, headers: { cookie, ...fromOwnPage } });
    expect(out.headers.location).toBe('https://idp.example.com/off');
  });

  test('signs in whose user name is the address, in whatever capitals the identity provider has it', async () => {
    const { id } = await ensureUser(service.table, { username: 'bob@example.com', rootRole: 'Viewer' });
    const answer = await finish(await samlAnswer({ requestId: await begin(), email: 'Bob@Example.com' }));
    expect(await userOf(cookieIn(answer))).toMatchObject({ id });
  });

  test('signs nobody in, nor creates them, whose address is a user name in letters that look alike', async () => {
    await ensureUser(service.table, { username: '\uff42ob@example.com', rootRole: 'Admin' });
    expect(await finish(await samlAnswer({ requestId: await begin(), email: 'bob@example.com' }))).toMatchObject({
      status: 409,
    });
  });

  test('refuses an answer that comes while the settings change', async () => {
    const body = await samlAnswer({ requestId: await begin(), email: 'zoe@example.com' });
    const off = { ...samlProviderSettings, enabled: false };
    const save = () => service.post('/api/admin/auth/saml/settings', off);
    expect((await betweenReadAndWrite(service.table, save, () => finish(body))).status).toBe(401);
    expect((await service.get('/api/admin/user-admin')).text).not.toContain('zoe');
  });

  test('goes nowhere but to the console, wherever the form wants', async () => {
    const body = await samlAnswer({ requestId: await begin(), email: 'zoe@example.com' });
    const answer = await finish(`${body}&RelayState=https%3A%2F%2Fevil.example`);
    expect(answer.headers.location).toBe('/projects');
  });

  test.each([
    ['without the lines around it', samlProviderSettings.certificate.replace(/-----[^-]+-----\s*/g, '')],
    ['with ends of lines of Windows and blanks', ` ${samlProviderSettings.certificate.replaceAll('\n', ' \r\n')}`],
  ])('takes a certificate that was pasted %s', async (_how, pasted) => {
    await service.post('/api/admin/auth/saml/settings', { ...samlProviderSettings, certificate: pasted });
    expect((await finish(await samlAnswer({ requestId: await begin(), email: 'zoe@example.com' }))).status).toBe(302);
  });

  test('finds the person whom Entra ID provisions by the object id, whatever their address', async () => {
    const { id } = await ensureUser(service.table, { username: 'zoe' });
    await manageUser(service, id, { externalId: 'object-of-zoe' });
    await switchScimTo(service, true);
    const attribute = `<saml:Attribute Name="http://schemas.microsoft.com/identity/claims/objectidentifier"><saml:AttributeValue>object-of-zoe</saml:AttributeValue></saml:Attribute>`;
    const edit = (xml: string) =>
      xml.replace(
        '</saml:Assertion>',
        `<saml:AttributeStatement>${attribute}</saml:AttributeStatement></saml:Assertion>`,
      );
    const answer = await finish(await samlAnswer({ requestId: await begin(), email: 'zoe.new@example.com', edit }));
    const headers = { cookie: cookieIn(answer) };
    expect((await service.get('/api/admin/user', { token: null, headers })).body.user).toMatchObject({ id });
  });

  test('keeps to the browser that has begun it, where there is TLS', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
    const begun = await service.get('/auth/saml/login', anonymous);
    expect(begun.headers['set-cookie']).toMatch(/^__Host-flagstaff-sign-on=[\w-]+; .*SameSite=None; Secure$/);
    const origin = 'https://flags.example.com';
    const body = await samlAnswer({ requestId: requestIdIn(begun), email: 'zoe@example.com', origin });
    expect((await finish(body)).status).toBe(401);
    const refused = await finish(body, { cookie: '__Host-flagstaff-sign-on=other', accept: 'text/html' });
    expect(refused).toMatchObject({ status: 401, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(refused.text).toContain('You could not be signed in');
    expect((await finish(body, { cookie: cookieIn(begun) })).status).toBe(302);
  });
});

const email = 'zoe@example.com';

describe('An assertion is refused, in the same words and with nothing changed,', () => {
  beforeAll(open);

  const other = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  const key = other.export({ type: 'pkcs8', format: 'pem' }).toString();
  const elsewhere = 'https://other.example/auth/saml/callback';
  const answering = /(Recipient="[^"]+") InResponseTo="[^"]+"/;
  const rsaSha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
  const edited = (edit: (xml: string) => string) => (requestId: string) => samlAnswer({ requestId, email, edit });
  const wrong: Record<string, (requestId: string) => Promise<string>> = {
    'signed by somebody else': (requestId) => samlAnswer({ requestId, email, key }),
    'without a signature': async (requestId) =>
      samlForm((await samlResponse({ requestId, email })).replace(/<ds:Signature.*?<\/ds:Signature>/s, '')),
    'changed after it was signed': async (requestId) =>
      samlForm((await samlResponse({ requestId, email })).replaceAll(email, 'eve@example.com')),
    'that has expired': (requestId) => samlAnswer({ requestId, email, ageMs: 10 * 60_000 }),
    'for another service': (requestId) => samlAnswer({ requestId, email, audience: 'https://other.test' }),
    'of another issuer': (requestId) => samlAnswer({ requestId, email, issuer: 'https://evil.example' }),
    'that answers nothing that was begun here': () => samlAnswer({ requestId: '_unknown', email }),
    'of a domain that is not allowed': (requestId) => samlAnswer({ requestId, email: 'eve@evil.example' }),
    'that names nobody': (requestId) => samlAnswer({ requestId, email: 'zoe' }),
    'addressed to another service': edited((xml) => xml.replace(/ Recipient="[^"]+"/, ` Recipient="${elsewhere}"`)),
    'whose response is addressed to another service': edited((xml) =>
      xml.replace(/ Destination="[^"]+"/, ` Destination="${elsewhere}"`),
    ),
    'whose response is of another issuer': edited((xml) =>
      xml.replace('<saml:Issuer>https://idp.example.com<', '<saml:Issuer>https://evil.example<'),
    ),
    'whose response says that the sign-on has failed': edited((xml) =>
      xml.replace('status:Success', 'status:Responder'),
    ),
    'that does not say to which sign-on it belongs': edited((xml) => xml.replace(answering, '$1')),
    'of a sign-on that begins at the identity provider': edited((xml) => xml.replace(/ InResponseTo="[^"]+"/g, '')),
    'that does not confirm its subject': edited((xml) =>
      xml.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, ''),
    ),
    'that confirms its subject by a key': edited((xml) => xml.replace('cm:bearer', 'cm:holder-of-key')),
    'whose confirmation has expired': edited((xml) =>
      xml.replace(/(Data NotOnOrAfter=")[^"]+/, '$12001-01-01T00:00:00.000Z'),
    ),
    'whose confirmation does not expire': edited((xml) => xml.replace(/(Data) NotOnOrAfter="[^"]+"/, '$1')),
    'whose confirmation expires at no time': edited((xml) => xml.replace(/(Data NotOnOrAfter=")[^"]+/, '$1never')),
    'whose response answers another sign-on': async (requestId) =>
      samlForm((await samlResponse({ requestId, email })).replace(/( InResponseTo=")[^"]+/, `$1${await begin()}`)),
    'signed with SHA-1': (requestId) => samlAnswer({ requestId, email, signatureAlgorithm: rsaSha1 }),
    'that is no XML': async () => samlForm('no XML'),
    'that is none': async () => 'SAMLResponse=',
  };
  test.each(Object.entries(wrong))('%s', async (_what, make) => {
    const answer = await finish(await make(await begin()));
    expect(answer).toMatchObject({ status: 401, body: { name: 'AuthenticationRequired' } });
    expect(answer.body.message).toMatch(/^Single sign-on was refused/);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect((await service.get('/api/admin/user-admin')).body.users).toHaveLength(1);
  });
});

describe('An assertion is refused', () => {
  beforeEach(open);

  test('that was answered before, also at the same moment', async () => {
    const body = await samlAnswer({ requestId: await begin(), email });
    const answers = await Promise.all([finish(body), finish(body), finish(body)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 401, 401]);
    expect((await finish(body)).status).toBe(401);
  });

  test('that was answered before, in a response that names another sign-on', async () => {
    const [first, second] = [await begin(), await begin()];
    const answer = await samlResponse({ requestId: first, email });
    const again = answer.replace(/(<samlp:Response [^>]*InResponseTo=")[^"]+/, `$1${second}`);
    expect(again).not.toBe(answer);
    expect((await finish(samlForm(answer))).status).toBe(302);
    expect((await finish(samlForm(again))).status).toBe(401);
  });

  test('while single sign-on is off', async () => {
    const body = await samlAnswer({ requestId: await begin(), email });
    await service.post('/api/admin/auth/saml/settings', { ...samlProviderSettings, enabled: false });
    expect((await finish(body)).status).toBe(401);
    expect((await service.get('/auth/saml/login', anonymous)).status).toBe(401);
  });

  test('of somebody unknown, where users are not created', async () => {
    await service.post('/api/admin/auth/saml/settings', { ...samlProviderSettings, autoCreate: false });
    expect((await finish(await samlAnswer({ requestId: await begin(), email }))).status).toBe(401);
  });
});
