import { awsAddress, signForAws } from '../helpers/sign-for-aws.ts';
import type { Work } from '../store/work.ts';

/** A plain-text mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The time for SES to accept a mail. */
const timeoutMs = 10_000;

/** The format of the sender: one address without a display name. */
export const senderPattern = /^[^\s@*?]+@[^\s@*?]+$/;

/** Returns the sender address; undefined if no mails are sent. */
export function mailSender(environment: Readonly<Record<string, string | undefined>> = process.env) {
  return environment.EMAIL_SENDER || undefined;
}

/**
 * Sends a mail through Amazon SES, in the region of the function and with its rights. It never throws, since the action that the mail
 * reports has already been stored.
 * @returns true if SES accepted it; false if no sender is configured, or after an error, which is reported as a warning.
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

/** Returns free text for a mail as one short line, so that it cannot look like the text of the mail. */
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

/** Returns the body of `SendEmail` in version 2 of SES's API. */
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
  return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
}
