import querystring from 'node:querystring';
import type { Transporter } from 'nodemailer';
import pLimit from 'p-limit';
import { isLoopback } from '../values/web-address.ts';
import type { MailTransport } from './mail.ts';

/** The server has this long for each step. */
const stepMs = 10_000;

/** The most connections at a time. A change request may cause 50 mails, and servers refuse as many connections. */
const connectionsMax = 5;

/** Tells whether a text is the address of a mail server: `smtp://`, or `smtps://` for a server that begins with TLS. */
export function isSmtpAddress(text: string): boolean {
  return /^smtps?:\/\/[^/?#\s]+\/?(\?tls=optional)?$/.test(text) && URL.parse(text) !== null;
}

/**
 * Returns a transport that sends mails through an SMTP server. nodemailer is loaded with the first mail. A password is only sent over
 * TLS, except to this machine.
 * @param options.requiresTls true if mails without a password need TLS, too, unless the address ends with `?tls=optional`.
 */
export function openSmtp(address: string, { requiresTls = false } = {}): MailTransport {
  const limit = pLimit(connectionsMax);
  let opening: Promise<Transporter> | undefined;
  return async (mail) => {
    opening ??= openTransporter(new URL(address), requiresTls);
    const transporter = await opening;
    await limit(() => transporter.sendMail(mail));
  };
}

async function openTransporter(url: URL, requiresTls: boolean): Promise<Transporter> {
  const { protocol, hostname, port, username, password, searchParams } = url;
  const { createTransport } = await import('nodemailer');
  const isTls = protocol === 'smtps:';
  const defaultPort = isTls ? 465 : 587;
  const needsTls = requiresTls && searchParams.get('tls') !== 'optional';
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort : Number(port),
    secure: isTls,
    requireTLS: !isTls && (needsTls || (username !== '' && !isLoopback(hostname))),
    ...(username !== '' && { auth: { user: querystring.unescape(username), pass: querystring.unescape(password) } }),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
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
  const credentials = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  return `${/^(true|1|t)$/.test(secure) ? 'smtps' : 'smtp'}://${credentials}${host}:${port}`;
}
