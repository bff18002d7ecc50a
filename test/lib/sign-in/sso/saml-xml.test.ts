import { beforeAll, describe, expect, test, vi } from 'vitest';
import { assertPlain } from '../../../../lib/sign-in/sso/saml-xml.ts';
import { floodOf } from '../../../harness/saml-floods.ts';
import { requestIdIn, samlAnswer, samlForm, samlProviderSettings } from '../../../harness/saml-provider.ts';
import { linesWrittenBy } from '../../../harness/written-lines.ts';
import { sharedService } from '../../../specifications/specify.ts';

const { costly, malformed } = await floodOf('_request');

describe('A response to the callback', () => {
  const service = sharedService();
  beforeAll(async () => {
    await service.post('/api/admin/auth/saml/settings', samlProviderSettings);
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (body: string) => service.call('POST', '/auth/saml/callback', { token: null, body, headers });

  test.each(Object.entries(malformed))('with %s is refused before a parser sees it', (_, xml) => {
    expect(() => assertPlain(xml)).toThrow(expect.objectContaining({ name: 'AuthenticationRequired' }));
  });

  test.each(Object.entries(costly))('with %s may be from an identity provider', (_, xml) => {
    expect(() => assertPlain(xml)).not.toThrow();
  });

  test('is refused with the reason in the log only', async () => {
    const { log } = await linesWrittenBy(async () => {
      const { status, body } = await post(samlForm('<a>'));
      expect([status, JSON.stringify(body)]).toEqual([401, expect.not.stringContaining('XML')]);
    });
    expect(JSON.stringify(log)).toContain('The response is not plain XML.');
  });

  test('with a thousand groups signs its user in', async () => {
    const values = '<saml:AttributeValue>team</saml:AttributeValue>'.repeat(1_000);
    const statement = `<saml:AttributeStatement><saml:Attribute Name="groups">${values}</saml:Attribute></saml:AttributeStatement>`;
    const requestId = requestIdIn(await service.get('/auth/saml/login', { token: null }));
    const edit = (xml: string) => xml.replace('</saml:Assertion>', `${statement}</saml:Assertion>`);
    expect((await post(await samlAnswer({ requestId, email: 'zoe@example.com', edit }))).status).toBe(302);
  });

  test('in a form above 100 kB is refused, even with a higher limit for other bodies', async () => {
    vi.stubEnv('BODY_LIMIT_BYTES', '1000000');
    expect(await post(samlForm('a'.repeat(80_000)))).toMatchObject({ status: 413 });
  });
});
