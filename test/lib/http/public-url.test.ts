import { beforeAll, describe, expect, test, vi } from 'vitest';
import { publicUrlOf } from '../../../lib/http/public-url.ts';
import { World } from '../../harness/world.ts';
import { sharedService } from '../../specifications/specify.ts';

const eventOf = (domainName: string | undefined) => ({ requestContext: domainName && { domainName } }) as never;

test.each([
  ['https://flags.example.com', undefined, 'https://flags.example.com'],
  ['https://flags.example.com', 'abc.execute-api.eu-central-1.amazonaws.com', 'https://flags.example.com'],
  ['', 'abc.execute-api.eu-central-1.amazonaws.com', 'https://abc.execute-api.eu-central-1.amazonaws.com'],
  ['', '', undefined],
  ['', undefined, undefined],
])('With PUBLIC_URL=%s and the domain %s of an API, the service is at %s', (publicUrl, domainName, expected) => {
  vi.stubEnv('PUBLIC_URL', publicUrl);
  expect(publicUrlOf(eventOf(domainName))).toBe(expected);
});

describe('Links and names for identity providers', () => {
  const service = sharedService();
  let id: string | undefined;
  beforeAll(async () => {
    ({ username: id } = await new World(service).person());
  });

  const forged = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  const expiresAt = '2126-01-01T00:00:00Z';
  const asking = {
    'the link of a new user': () =>
      service.post('/api/admin/user-admin', { username: 'eve', rootRole: 3 }, { headers: forged }),
    'the link to another password': () =>
      service.post('/api/admin/user-admin/reset-password', { id }, { headers: forged }),
    'an invitation': () => service.post('/api/admin/invite-link/tokens', { name: 'a', expiresAt }, { headers: forged }),
    'what identity providers learn': () => service.get('/auth/saml/metadata', { headers: forged }),
  };
  const others = {
    'a sign-on by SAML': () => service.get('/auth/saml/login', { headers: forged }),
    'a sign-on by OpenID Connect': () => service.get('/auth/oidc/login', { headers: forged }),
    'a mail that a visitor asks for': () =>
      service.post('/auth/reset/password-email', { email: 'a@example.com' }, { token: null, headers: forged }),
  };

  test.each(Object.entries({ ...asking, ...others }))(
    'are refused where nobody has said where the service is, with what would: %s',
    async (_what, ask) => {
      vi.stubEnv('PUBLIC_URL', '');
      const { status, body } = await ask();
      expect({ status, message: body.message }).toEqual({
        status: 503,
        message: expect.stringContaining('PUBLIC_URL'),
      });
    },
  );

  test.each(Object.entries(asking))('lead to PUBLIC_URL, whatever a caller says: %s', async (_what, ask) => {
    vi.stubEnv('PUBLIC_URL', 'https://flags.example.com');
    const { status, text } = await ask();
    expect(status).toBeLessThan(300);
    expect(text).toContain('https://flags.example.com');
    expect(text).not.toContain('evil.example');
  });

  test('are not needed to read invitations', async () => {
    vi.stubEnv('PUBLIC_URL', '');
    expect((await service.get('/api/admin/invite-link/tokens')).status).toBe(200);
  });
});
