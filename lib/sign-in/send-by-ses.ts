import { awsAddress, signForAws } from '../helpers/sign-for-aws.ts';
import type { SentMail } from './mail.ts';

/** SES has this long to accept a mail. */
const timeoutMs = 10_000;

/**
 * Sends a mail through Amazon SES, in the region of the function and with its rights.
 * @throws Error if SES does not accept it.
 */
export async function sendBySes(mail: SentMail): Promise<void> {
  const url = new URL('/v2/email/outbound-emails', awsAddress('email'));
  const body = buildBody(mail);
  const headers = await signForAws('ses', { url, headers: { 'content-type': 'application/json' }, body });
  const { status } = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
  if (status !== 200) throw new Error(`SES answered ${status}`);
}

/** Builds the body of `SendEmail` in version 2 of SES's API. */
function buildBody({ from, to, subject, text }: SentMail): string {
  const content = (Data: string) => ({ Data, Charset: 'UTF-8' });
  return JSON.stringify({
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: content(subject), Body: { Text: content(text) } } },
  });
}
