import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendByParameter } from '../../../lib/sign-in/send-by-parameter.ts';
import { mailServerCertificate } from '../../fixtures/mail-server.ts';
import { type MailServer, openMailServer, tls, withoutTls } from '../../harness/mail-server.ts';
import { openParameterStore, type ParameterStore } from '../../harness/parameter-store.ts';
import { freshService, type Service } from '../../harness/service.ts';

/** The names differ, since a process keeps what it has read. */
let count = 0;
let parameter: string;
let parameters: ParameterStore;
let service: Service;

const before = getCACertificates();
beforeEach(async () => {
  setDefaultCACertificates([...before, mailServerCertificate]);
  count += 1;
  parameter = `/flags/smtp-${count}`;
  parameters = await openParameterStore(parameter);
  service = await freshService();
  const environment = { ...parameters.environment, EMAIL_SENDER: 'flags@example.com', SMTP_PARAMETER: parameter };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
});
afterEach(async () => {
  vi.useRealTimers();
  setDefaultCACertificates(before);
  await parameters[Symbol.asyncDispose]();
});

const createUser = (name: string) =>
  service.post('/api/admin/user-admin', { email: `${name}@example.com`, name, rootRole: 3 });
const addressOf = ({ port }: MailServer, { user = '', protocol = 'smtp', more = '' } = {}) =>
  `${protocol}://${user}localhost:${port}${more}`;

test.each([
  ['begins with TLS', { protocol: 'smtps' }, { ...tls, secure: true }],
  ['changes to TLS', { protocol: 'smtp' }, tls],
])('a new user gets a link through a mail server that %s, and the parameter is read once', async (_, more, options) => {
  await using server = await openMailServer(options);
  parameters.value = addressOf(server, { ...more, user: 'flags:p%40ss@' });
  const answers = await Promise.all([createUser('max'), createUser('zoe')]);
  expect(answers.map(({ status, body }) => [status, body.emailSent])).toEqual([
    [201, true],
    [201, true],
  ]);
  expect(server.mails.map(({ from, to }) => [from, to]).toSorted()).toEqual([
    ['flags@example.com', 'max@example.com'],
    ['flags@example.com', 'zoe@example.com'],
  ]);
  expect([server.passwords, parameters.reads]).toEqual([['p@ss', 'p@ss'], 1]);
  expect((await service.get('/api/admin/ui-config')).body.emailEnabled).toBe(true);
});

test('mails to many people at once read the parameter once, and open few connections', async () => {
  await using server = await openMailServer({ ...tls, maxClients: 10 });
  parameters.value = addressOf(server);
  const mail = { from: 'flags@example.com', subject: 'Please review', text: 'Hello' };
  const people = Array.from({ length: 30 }, (_, index) => `person-${index}@example.com`);
  await Promise.all(people.map((to) => sendByParameter(parameter, { ...mail, to })));
  expect([server.mails.length, parameters.reads]).toEqual([30, 1]);
});

test('mails go without TLS only if the address says so', async () => {
  await using server = await openMailServer(withoutTls);
  parameters.value = addressOf(server);
  expect((await createUser('zoe')).body.emailSent).toBe(false);
  expect(server.mails).toEqual([]);

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
  parameters.value = addressOf(server, { more: '?tls=optional' });
  expect((await createUser('max')).body.emailSent).toBe(true);
});

test('a changed password is read as soon as the server refuses the old one', async () => {
  await using server = await openMailServer({ ...tls, password: 'new' });
  parameters.value = addressOf(server, { user: 'flags:old@' });
  expect((await createUser('zoe')).body.emailSent).toBe(false);
  expect(parameters.reads).toBe(2);
  parameters.value = addressOf(server, { user: 'flags:new@' });
  expect((await createUser('max')).body.emailSent).toBe(true);
  expect(server.mails.map(({ to }) => to)).toEqual(['max@example.com']);
});

test.each([
  ['a server that does not answer', 'smtp://flags:s3cret@127.0.0.1:1', /^A mail was not sent: .*ECONNREFUSED/],
  ['a value that is no address', 'https://flags:s3cret@localhost', /is not the address of a mail server/],
])('with %s, the user exists, and neither the reply nor the log has the password', async (_, value, warning) => {
  parameters.value = value;
  const { status, body, text } = await createUser('zoe');
  expect([status, body.emailSent]).toEqual([201, false]);
  expect(process.emitWarning).toHaveBeenCalledWith(expect.stringMatching(warning));
  expect(JSON.stringify(vi.mocked(process.emitWarning).mock.calls) + text).not.toContain('s3cret');
});

test('a parameter that cannot be read is named in the log', async () => {
  vi.stubEnv('SMTP_PARAMETER', '/flags/other');
  expect((await createUser('zoe')).body.emailSent).toBe(false);
  expect(process.emitWarning).toHaveBeenCalledWith(
    'A mail was not sent: The parameter /flags/other cannot be read: ParameterNotFound.',
  );
});

test('a slow mail server does not reveal who has an account', async () => {
  const accepted = Promise.withResolvers<void>();
  await using server = await openMailServer({
    ...tls,
    onData(stream, _session, callback) {
      stream.resume();
      void accepted.promise.then(() => callback());
    },
  });
  parameters.value = addressOf(server);
  const create = { email: 'zoe@example.com', name: 'zoe', rootRole: 3, sendEmail: false };
  await service.post('/api/admin/user-admin', create);
  const ask = (email: string) => service.post('/auth/reset/password-email', { email }, { token: null });
  const answers = await Promise.all([ask('zoe@example.com'), ask('nobody@example.com')]);
  accepted.resolve();
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(process.emitWarning).toHaveBeenCalledWith(expect.stringContaining('may not have been mailed'));
});
