import { carryOut } from '../activities.ts';
import type { Work } from '../store/work.ts';
import type { Mail, MailTransport } from './mail.ts';
import { sendByParameter } from './send-by-parameter.ts';
import { sendBySes } from './send-by-ses.ts';

/** Sends a mail through the mail server that `SMTP_PARAMETER` names, or else through Amazon SES. */
const sendByEnvironment: MailTransport = (mail) => {
  const parameter = readSmtpParameter();
  return parameter === undefined ? sendBySes(mail) : sendByParameter(parameter, mail);
};

/** Returns the name of the parameter with the address of the mail server; undefined for Amazon SES. */
export function readSmtpParameter(): string | undefined {
  return process.env.SMTP_PARAMETER || undefined;
}

let transport: MailTransport = sendByEnvironment;

/** Sends all mails of this process by another service than that of the environment; without one, by that of the environment again. */
export function useMailTransport(next: MailTransport = sendByEnvironment): void {
  transport = next;
}

/** Tells whether a mail may be sent after the reply. Lambda functions, which use the transport of the environment, stop with their reply. */
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
 * Sends a mail. It never throws, since the change that the mail reports has already been stored.
 * @returns true if the transport accepted it; false without a sender, or after an error, which becomes a warning.
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
