import { shortenToLine } from '../values/shorten-to-line.ts';

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

/** Returns the first line of a mail to a person. */
export function formatGreeting(name: string | undefined): string {
  const shown = shortenToLine(name);
  return shown ? `Hello ${shown},` : 'Hello,';
}
