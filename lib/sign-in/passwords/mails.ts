import { setTimeout } from 'node:timers/promises';
import type { User } from '../../identity/users.ts';
import type { Request } from '../../request.ts';
import { mayMail } from '../attempts.ts';
import { findUserId } from '../find-user.ts';
import { formatGreeting, mailSender, sendMail } from '../send-mail.ts';
import { takesPasswords } from '../ways.ts';
import { makeMailedLink } from './links.ts';

/** Returns the URL at which a new user chooses a password. */
export function firstLinkUrl(origin: string, link: string): string {
  return `${origin}/new-user?token=${link}`;
}

/** Returns the URL at which a user chooses another password. */
export function resetLinkUrl(origin: string, link: string): string {
  return `${origin}/reset-password?token=${link}`;
}

/** Mails a new user their link. @returns true if it was sent: they have an address, and mail is configured. */
export async function mailWelcome(request: Request, { email, name }: User, url: string): Promise<boolean> {
  if (email === undefined) return false;
  const text = `${formatGreeting(name)}

you have an account with the feature flags of your team. Choose a password within a week:

${url}
`;
  return sendMail(request, { to: email, subject: 'Welcome to Flagstaff', text });
}

/** Mails a user the link for choosing another password. @returns true if it was sent. */
export async function mailReset(request: Request, { email, name }: User, url: string): Promise<boolean> {
  if (email === undefined) return false;
  const text = `${formatGreeting(name)}

somebody has asked for a link by which you choose another password. It is good for a day:

${url}

If it was not you, ignore this mail: nothing has changed.
`;
  return sendMail(request, { to: email, subject: 'Choose another password', text });
}

/** The reply to a request for a link takes at least so long, so that it does not reveal whether one was sent. */
const replyMs = 1_000;

/**
 * Mails the link by which a user chooses another password to the address that they have given, if a user has it. Nobody
 * learns whether there is one, and nobody gets many mails because others ask for them.
 */
export async function mailForgotten(
  request: Request,
  email: string,
  { address, origin }: { readonly address: string; readonly origin: string },
): Promise<void> {
  if (mailSender() === undefined) return warnOfNoSender(request);
  await Promise.all([mailIfKnown(request, email, { address, origin }).catch(() => {}), setTimeout(replyMs)]);
}

const warned = new WeakSet<Request['store']>();

/** Warns once: anybody can ask for links, as often as they like. */
function warnOfNoSender({ store }: Request): void {
  if (warned.has(store)) return;
  warned.add(store);
  process.emitWarning('Somebody has asked for a reset link by mail, and got none: EMAIL_SENDER is not set.');
}

async function mailIfKnown(
  request: Request,
  email: string,
  { address, origin }: { readonly address: string; readonly origin: string },
): Promise<void> {
  const [isFew, userId, areTaken] = await Promise.all([
    mayMail(request, { name: email, address }),
    findUserId(request, email),
    takesPasswords(request),
  ]);
  if (!isFew || !areTaken || userId === undefined) return;
  const { user, secret } = await makeMailedLink(request, email);
  await mailReset(request, user, resetLinkUrl(origin, secret));
}
