import { awsAddress, signForAws } from '../helpers/sign-for-aws.ts';
import type { Work } from '../store/work.ts';

/** A mail to one person, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Time that SES has to accept a mail. */
const patienceMs = 10_000;

/** Format of the sender: one address, without a display name. */
export const senderPattern = /^[^\s@*?]+@[^\s@*?]+$/;

/** Returns the address that mails come from; undefined if no mail is sent. */
export function mailSender(environment: Readonly<Record<string, string | undefined>> = process.env) {
  return environment.EMAIL_SENDER || undefined;
}

/**
 * Sends a mail by Amazon SES, in the region of the function and with its rights. It never throws: the action that the
 * mail reports has already happened, and the store has kept it.
 * @returns true if SES accepted it; false if no sender is configured, or on a failure, which a warning explains.
 */
export async function sendMail({ store }: Pick<Work, 'store'>, mail: Mail): Promise<boolean> {
  const sender = mailSender();
  if (sender === undefined) return false;
  try {
    await store.awaitDurable();
    const { status } = await post(requestOf(sender, mail));
    if (status === 200) return true;
    throw new Error(`SES answered ${status}`);
  } catch (error) {
    process.emitWarning(`A mail was not sent: ${error instanceof Error ? error.message : String(error)}.`);
    return false;
  }
}

/** Returns free text as it stands in a mail: in one short line, so that it cannot look like the text of the mail. */
export function singleLine(text = ''): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 100);
}

/** Returns the first line of a mail to a person. */
export function formatGreeting(name: string | undefined): string {
  const shown = singleLine(name);
  return shown ? `Hello ${shown},` : 'Hello,';
}

/** `SendEmail` of version 2 of SES's API. */
function requestOf(sender: string, { to, subject, text }: Mail): string {
  const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
  return JSON.stringify({
    FromEmailAddress: sender,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: content(subject), Body: { Text: content(text) } } },
  });
}

/** Posts a signed request to SES. */
async function post(body: string): Promise<Response> {
  const url = new URL('/v2/email/outbound-emails', awsAddress('email'));
  const headers = await signForAws('ses', { url, headers: { 'content-type': 'application/json' }, body });
  return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(patienceMs) });
}
