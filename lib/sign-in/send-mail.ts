import { carryOut } from '../activities.ts';
import type { Work } from '../store/work.ts';
import { sendByParameter } from './send-by-parameter.ts';
import { sendBySes } from './send-by-ses.ts';

/** A plain-text mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail with the address of its sender. */
export type SentMail = Mail & { readonly from: string };

/** Hands a mail to a service that delivers it. It throws an error if the service does not accept it. */
export type MailTransport = (mail: SentMail) => Promise<void>;

/** Sends a mail as the environment of the function says: through the mail server of a parameter, or else through Amazon SES. */
const sendByEnvironment: MailTransport = (mail) => {
  const parameter = readSmtpParameter();
  return parameter === undefined ? sendBySes(mail) : sendByParameter(parameter, mail);
};

/** Reads the name of the parameter with the address of the mail server; undefined for Amazon SES. */
export const readSmtpParameter = (): string | undefined => process.env.SMTP_PARAMETER || undefined;

let transport: MailTransport = sendByEnvironment;

/** Sends all mails of this process by another service than the environment says, or again by that of the environment. */
export function useMailTransport(next: MailTransport = sendByEnvironment): void {
  transport = next;
}

/** Returns true if a mail may be sent after the reply. Lambda functions stop with their reply. */
export function maySendAfterReply(): boolean {
  return transport !== sendByEnvironment;
}

/** The format of the sender: one address without a display name. */
export const senderPattern = /^[^\s@*?]+@[^\s@*?]+$/;

/** Returns the sender address; undefined if no mails are sent. */
export function mailSender(environment: Readonly<Record<string, string | undefined>> = process.env) {
  return environment.EMAIL_SENDER || undefined;
}

/**
 * Sends a mail. It never throws, since the action that the mail reports has already been stored.
 * @returns true if the transport accepted it; false if no sender is configured, or after an error, which is reported as a warning.
 */
export async function sendMail({ store }: Pick<Work, 'store'>, mail: Mail): Promise<boolean> {
  const sender = mailSender();
  if (sender === undefined) return false;
  try {
    await store.awaitDurable();
    await carryOut({ kind: 'mail', name: 'mail' }, () => transport({ ...mail, from: sender }));
    return true;
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
