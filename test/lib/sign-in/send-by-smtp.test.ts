import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '../../../infra/local/settings.ts';
import { isSmtpAddress, openSmtp } from '../../../lib/sign-in/send-by-smtp.ts';
import { mailServerCertificate } from '../../fixtures/mail-server.ts';
import { openMailServer, tls, withoutTls } from '../../harness/mail-server.ts';

const mail = {
  from: 'flags@example.com',
  to: 'zoe@example.com',
  subject: 'Your link',
  text: 'Hello Zoë,\nhttps://x/y',
};

const before = getCACertificates();
beforeEach(() => setDefaultCACertificates([...before, mailServerCertificate]));
afterEach(() => setDefaultCACertificates(before));

describe('Mails reach an SMTP server', () => {
  test('without TLS and without an account', async () => {
    await using server = await openMailServer(withoutTls);
    await openSmtp(`smtp://127.0.0.1:${server.port}`)(mail);
    expect(server.mails).toEqual([{ from: mail.from, to: mail.to, text: expect.stringContaining('Your link') }]);
  });

  test.each([
    ['that begins with TLS', 'smtps', { ...tls, secure: true }],
    ['that changes to TLS', 'smtp', tls],
  ])('%s, with a password', async (_, protocol, options) => {
    await using server = await openMailServer(options);
    await openSmtp(`${protocol}://flags:p%40ss@localhost:${server.port}`)(mail);
    expect([server.mails.length, server.passwords]).toEqual([1, ['p@ss']]);
  });
});

test('Mails to many people at once open few connections, since mail servers refuse many', async () => {
  await using server = await openMailServer({ ...withoutTls, maxClients: 10 });
  const send = openSmtp(`smtp://127.0.0.1:${server.port}`);
  await Promise.all(Array.from({ length: 50 }, () => send(mail)));
  expect(server.mails).toHaveLength(50);
});

test('A password with a percent sign works as it is', async () => {
  await using server = await openMailServer({ ...tls, secure: true });
  await openSmtp(`smtps://flags:100%sure@localhost:${server.port}`)(mail);
  expect(server.passwords).toEqual(['100%sure']);
});

describe('No password is sent', () => {
  test('to a server whose certificate nobody vouches for', async () => {
    setDefaultCACertificates(before);
    await using server = await openMailServer(tls);
    await expect(openSmtp(`smtp://flags:secret@localhost:${server.port}`)(mail)).rejects.toThrow(/certificate/);
    expect([server.mails, server.passwords]).toEqual([[], []]);
  });

  test('without TLS to another machine', async () => {
    await using server = await openMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    await expect(openSmtp(`smtp://flags:secret@0.0.0.0:${server.port}`)(mail)).rejects.toThrow();
    expect([server.mails, server.passwords]).toEqual([[], []]);
  });
});

test.each([
  ['smtp://mail.example.com', true],
  ['smtps://flags:p%40ss@mail.example.com:465', true],
  ['smtp://mail.example.com:25?tls=optional', true],
  ['smtp://mail.example.com:25?tls=never', false],
  ['https://mail.example.com', false],
  ['smtp://', false],
  ['smtp://mail.example.com\nsmtp://other.example.com', false],
])('%j: %s', (address, isValid) => {
  expect(isSmtpAddress(address)).toBe(isValid);
});

describe('The settings of mails', () => {
  test('are those of Unleash, too', () => {
    const settings = readSettings({
      ...{ EMAIL_SENDER: mail.from, EMAIL_HOST: 'mail.example.com', EMAIL_USER: 'flags', EMAIL_PASSWORD: 'p@ss' },
    });
    expect(settings.smtpUrl).toBe('smtp://flags:p%40ss@mail.example.com:587');
    const secure = readSettings({
      EMAIL_SENDER: mail.from,
      EMAIL_HOST: 'mail.example.com',
      EMAIL_PORT: '465',
      EMAIL_SECURE: 'true',
    });
    expect(secure.smtpUrl).toBe('smtps://mail.example.com:465');
  });

  test('need a sender, and errors quote no password', () => {
    expect(() => readSettings({ SMTP_URL: 'smtp://mail.example.com' })).toThrow('EMAIL_SENDER must be');
    const wrong = { EMAIL_SENDER: mail.from, SMTP_URL: 'https://flags:secret@mail.example.com/path' };
    expect(() => readSettings(wrong)).toThrow(/^SMTP_URL must be the address of a mail server/);
    expect(() => readSettings(wrong)).not.toThrow(/secret/);
  });
});
