import { awsAddress, signForAws } from '../helpers/sign-for-aws.ts';
import type { MailTransport, SentMail } from './mail.ts';
import { isSmtpAddress, openSmtp } from './send-by-smtp.ts';

/** The Parameter Store has this long to answer. */
const timeoutMs = 5_000;

/** A process keeps the address of the mail server for this long. After a refused password, it reads the address again at once. */
const keptMs = 5 * 60_000;

/** A mail may take this long, with its turn after other mails. It is less than the time-outs of functions. */
const mailMs = 25_000;

interface MailServer {
  readonly address: string;
  readonly send: MailTransport;
}

/** A mail server that has been read, or is being read. */
interface Reading {
  readonly server: Promise<MailServer>;
  readonly startedAt: number;
}

/** The latest reading of each parameter. */
const readings = new Map<string, Reading>();

/**
 * Sends a mail through the SMTP server whose address, with its password, is in a parameter of AWS's Parameter Store. Requires TLS,
 * unless the address says otherwise.
 * @param name the name of the parameter.
 * @throws Error, without the address, if the parameter cannot be read or the server does not accept the mail.
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
  const reading = shareReading(name);
  const server = await reading.server;
  try {
    await server.send(mail);
  } catch (error) {
    if (!isRefusedPassword(error)) throw error;
    forgetReading(name, reading);
    const current = await shareReading(name).server;
    if (current.address === server.address) throw error;
    await current.send(mail);
  }
}

function isRefusedPassword(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'EAUTH';
}

/** Reads a parameter, if the last reading is too old. Mails at the same time share a reading, and with it the limit of connections. */
function shareReading(name: string): Reading {
  const before = readings.get(name);
  if (before !== undefined && Date.now() - before.startedAt < keptMs) return before;
  const reading = { server: readServer(name, before), startedAt: Date.now() };
  readings.set(name, reading);
  reading.server.catch(() => forgetReading(name, reading));
  return reading;
}

function forgetReading(name: string, reading: Reading): void {
  if (readings.get(name) === reading) readings.delete(name);
}

/** Reads the address of the server. If it is still the same, the server that is open stays in use. */
async function readServer(name: string, before: Reading | undefined): Promise<MailServer> {
  const [address, openServer] = await Promise.all([readParameter(name), before?.server]);
  if (openServer?.address === address) return openServer;
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
