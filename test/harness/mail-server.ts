import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { mailServerCertificate, mailServerKey } from '../fixtures/mail-server.ts';

/** An SMTP server that keeps what it is sent. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly { readonly from: string; readonly to: string; readonly text: string }[];
  readonly passwords: readonly string[];
}

/** @param options.password the only accepted password; any if it is left out. */
export async function openMailServer({
  password: accepted,
  ...options
}: SMTPServerOptions & { readonly password?: string } = {}): Promise<MailServer> {
  const mails: { from: string; to: string; text: string }[] = [];
  const passwords: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth({ username, password }, _session, callback) {
      passwords.push(String(password));
      if (accepted === undefined || password === accepted) callback(null, { user: String(username) });
      else callback(new Error('Invalid username or password'));
    },
    async onData(stream, { envelope }, callback) {
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), text: await text(stream) });
      callback();
    },
    ...options,
  });
  server.on('error', () => {});
  const listening = server.listen(0, '0.0.0.0');
  await once(listening, 'listening');
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    passwords,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The options of a server with a certificate. */
export const tls = { key: mailServerKey, cert: mailServerCertificate };

/** The options of a server that has neither TLS nor accounts. */
export const withoutTls: SMTPServerOptions = { disabledCommands: ['STARTTLS', 'AUTH'] };
