import querystring from 'node:querystring';
import type { Transporter } from 'nodemailer';
import pLimit from 'p-limit';
import type { MailTransport } from '../../lib/sign-in/send-mail.ts';
import { isLoopback } from '../../lib/values/web-address.ts';

/** The time for each step of the server. */
const timeoutMs = 10_000;

/** The most connections at a time: a mail about a change request may have 50 recipients, and servers refuse so many at once. */
const connectionsMax = 5;

/**
 * Returns a transport that sends mails through an SMTP server. Its module is loaded with the first mail. A password is only sent over
 * TLS, except to this machine.
 * @param address `smtp://` or, for a server that begins with TLS, `smtps://`.
 */
export function openSmtp(address: string): MailTransport {
  const limit = pLimit(connectionsMax);
  let opening: Promise<Transporter> | undefined;
  return async (mail) => {
    opening ??= openTransporter(new URL(address));
    const transporter = await opening;
    await limit(() => transporter.sendMail(mail));
  };
}

async function openTransporter({ protocol, hostname, port, username, password }: URL): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const isTls = protocol === 'smtps:';
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 465 : 587) : Number(port),
    secure: isTls,
    requireTLS: !isTls && username !== '' && !isLoopback(hostname),
    ...(username !== '' && { auth: { user: querystring.unescape(username), pass: querystring.unescape(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
}

/** The variables that name Unleash's SMTP server. */
interface UnleashVariables {
  readonly EMAIL_HOST?: string | undefined;
  readonly EMAIL_PORT?: string | undefined;
  readonly EMAIL_SECURE?: string | undefined;
  readonly EMAIL_USER?: string | undefined;
  readonly EMAIL_PASSWORD?: string | undefined;
}

/** Returns the address of the SMTP server that Unleash's variables name; undefined if they name none. */
export function smtpAddressOf({
  EMAIL_HOST: host,
  EMAIL_PORT: port = '587',
  EMAIL_SECURE: secure = 'false',
  EMAIL_USER: user = '',
  EMAIL_PASSWORD: password = '',
}: UnleashVariables): string | undefined {
  if (host === undefined) return undefined;
  const person = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${/^(true|1|t)$/.test(secure) ? 'smtps' : 'smtp'}://${person}${host}:${port}`;
}
