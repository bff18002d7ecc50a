import { awsAddress, signForAws } from '../helpers/sign-for-aws.ts';
import { isSmtpAddress, openSmtp } from './send-by-smtp.ts';
import type { MailTransport, SentMail } from './send-mail.ts';

/** The time for the Parameter Store to answer. */
const timeoutMs = 5_000;

/** The time for which a process keeps the address of the mail server. A refused password is looked up again at once. */
const keptMs = 5 * 60_000;

/** The time for a mail with all its steps, also those of other mails before it. It is less than the time-outs of functions. */
const mailMs = 25_000;

interface MailServer {
  readonly address: string;
  readonly send: MailTransport;
  readonly readAt: number;
}

/** The mail server of each parameter. */
const known = new Map<string, Promise<MailServer>>();

/**
 * Sends a mail through the SMTP server whose address, with its password, is in a parameter of AWS's Parameter Store. Requires TLS,
 * unless the address says otherwise.
 * @param name the name of the parameter.
 * @throws Error if the parameter cannot be read, or if the server does not accept the mail. It does not contain the address.
 */
export async function sendByParameter(name: string, mail: SentMail): Promise<void> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The mail server took too long')), mailMs);
  try {
    await Promise.race([sendWithCurrentPassword(name, mail), end]);
  } finally {
    clearTimeout(timer);
  }
}

async function sendWithCurrentPassword(name: string, mail: SentMail): Promise<void> {
  const server = await findServer(name);
  try {
    await server.send(mail);
  } catch (error) {
    if (!isRefusedPassword(error)) throw error;
    known.delete(name);
    const current = await findServer(name);
    if (current.address === server.address) throw error;
    await current.send(mail);
  }
}

function isRefusedPassword(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'EAUTH';
}

async function findServer(name: string): Promise<MailServer> {
  const before = await known.get(name)?.catch(() => undefined);
  if (before !== undefined && Date.now() - before.readAt < keptMs) return before;
  const reading = readServer(name, before);
  known.set(name, reading);
  return reading;
}

/** Keeps the open server if its address is still the same, because it limits connections. */
async function readServer(name: string, before: MailServer | undefined): Promise<MailServer> {
  const address = await readParameter(name);
  if (!isSmtpAddress(address))
    throw new Error(`The parameter ${name} is not the address of a mail server, such as smtps://user:password@host`);
  const send = before?.address === address ? before.send : openSmtp(address, { requiresTls: true });
  return { address, send, readAt: Date.now() };
}

async function readParameter(name: string): Promise<string> {
  const url = new URL(awsAddress('ssm'));
  const body = JSON.stringify({ Name: name, WithDecryption: true });
  const type = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AmazonSSM.GetParameter' };
  const headers = await signForAws('ssm', { url, headers: type, body });
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
  if (response.status !== 200) {
    const { __type: reason = response.status } = (await response.json().catch(() => ({}))) as { __type?: string };
    throw new Error(`The parameter ${name} cannot be read: ${reason}`);
  }
  const { Parameter } = (await response.json()) as { readonly Parameter: { readonly Value: string } };
  return Parameter.Value.trim();
}
