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
}

/** A mail server that has been read, or is being read. */
interface Reading {
  readonly server: Promise<MailServer>;
  readonly beganAt: number;
}

/** The latest reading of each parameter. */
const readings = new Map<string, Reading>();

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
  const reading = findReading(name);
  const server = await reading.server;
  try {
    await server.send(mail);
  } catch (error) {
    if (!isRefusedPassword(error)) throw error;
    forgetReading(name, reading);
    const current = await findReading(name).server;
    if (current.address === server.address) throw error;
    await current.send(mail);
  }
}

function isRefusedPassword(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'EAUTH';
}

/** Reads a parameter again if that is due. Mails at the same time share one reading, and so the limit of connections. */
function findReading(name: string): Reading {
  const before = readings.get(name);
  if (before !== undefined && Date.now() - before.beganAt < keptMs) return before;
  const reading = { server: readServer(name, before), beganAt: Date.now() };
  readings.set(name, reading);
  reading.server.catch(() => forgetReading(name, reading));
  return reading;
}

function forgetReading(name: string, reading: Reading): void {
  if (readings.get(name) === reading) readings.delete(name);
}

/** Keeps the open server if its address is still the same. */
async function readServer(name: string, before: Reading | undefined): Promise<MailServer> {
  const [address, open] = await Promise.all([readParameter(name), before?.server]);
  if (open?.address === address) return open;
  if (!isSmtpAddress(address))
    throw new Error(`The parameter ${name} is not the address of a mail server, such as smtps://user:password@host`);
  return { address, send: openSmtp(address, { requiresTls: true }) };
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
