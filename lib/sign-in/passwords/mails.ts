import { setTimeout } from 'node:timers/promises';
import type { User } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import { takeMailAttempt } from '../attempts.ts';
import { formatGreeting } from '../mail.ts';
import { mailSender, maySendAfterReply, readSmtpParameter, sendMail } from '../send-mail.ts';
import { takesPasswords } from '../ways.ts';
import { makeMailedLink } from './links.ts';
import { findUserId } from './records.ts';

/** Returns the URL at which a new user chooses a password. */
export function firstLinkUrl(origin: string, link: string): string {
  return `${origin}/new-user?token=${link}`;
}

/** Returns the URL at which a user chooses a new password. */
export function resetLinkUrl(origin: string, link: string): string {
  return `${origin}/reset-password?token=${link}`;
}

/** Mails a new user their link. @returns true if it was sent, which needs an address and a configured sender. */
export async function mailWelcome(request: Request, { email, name }: User, url: string): Promise<boolean> {
  if (email === undefined) return false;
  const text = `${formatGreeting(name)}

you have an account for the feature flags of your team. Choose a password within a week:

${url}
`;
  return sendMail(request, { to: email, subject: 'Welcome to Flagstaff', text });
}

/** Mails a user the link to choose a new password. @returns true if it was sent. */
export async function mailReset(request: Request, { email, name }: User, url: string): Promise<boolean> {
  if (email === undefined) return false;
  const text = `${formatGreeting(name)}

somebody has requested a link to choose a new password for your account. It is valid for a day:

${url}

If it was not you, ignore this mail: nothing has changed.
`;
  return sendMail(request, { to: email, subject: 'Choose a new password', text });
}

/** The minimum duration of the reply to a request for a link, so that it does not reveal whether a mail was sent. */
const replyMs = 1_000;

/** The same for a function that sends mails through a mail server, which takes longer than Amazon SES. */
const smtpReplyMs = 5_000;
const lateMailWarning = `A password reset link may not have been mailed: the mail server took longer than ${smtpReplyMs / 1000} seconds.`;

/**
 * Mails a link to choose a new password to an address, if a user has it. The reply does not reveal whether a user has it, and the number
 * of mails to an address is limited.
 */
export async function mailForgotten(
  request: Request,
  email: string,
  { address, origin }: { readonly address: string; readonly origin: string },
): Promise<void> {
  if (mailSender() === undefined) return warnOfNoSender(request);
  const mailing = mailIfKnown(request, email, { address, origin }).catch(() => {});
  if (maySendAfterReply() || readSmtpParameter() === undefined) {
    await Promise.all([mailing, setTimeout(replyMs)]);
    return;
  }
  // The reply does not wait for a slower server, and the function stops with the reply.
  const reply = setTimeout(smtpReplyMs, 'late');
  if ((await Promise.race([mailing, reply])) === 'late') process.emitWarning(lateMailWarning);
  await reply;
}

const warned = new WeakSet<Request['store']>();

/** Warns once, since anyone can request links, as often as they like. */
function warnOfNoSender({ store }: Request): void {
  if (warned.has(store)) return;
  warned.add(store);
  process.emitWarning('A password reset link was requested by mail, but not sent: EMAIL_SENDER is not set.');
}

async function mailIfKnown(
  request: Request,
  email: string,
  { address, origin }: { readonly address: string; readonly origin: string },
): Promise<void> {
  const [isAllowed, userId, hasPasswords] = await Promise.all([
    takeMailAttempt(request, { name: email, address }),
    findUserId(request, email),
    takesPasswords(request),
  ]);
  if (!isAllowed || !hasPasswords || userId === undefined) return;
  const { user, secret } = await makeMailedLink(request, email);
  const sending = mailReset(request, user, resetLinkUrl(origin, secret));
  // A mail server may take longer than the reply, which would reveal that a user has the address.
  if (!maySendAfterReply()) await sending;
}
