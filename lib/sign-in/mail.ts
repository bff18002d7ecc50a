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

/** Returns text that a person chose as one short line, so that it cannot look like the text around it. */
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
