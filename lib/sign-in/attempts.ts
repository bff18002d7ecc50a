import { isIPv6 } from 'node:net';
import { ApiError } from '../errors.ts';
import * as peopleKeys from '../identity/keys.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { countInWindow } from '../store/window.ts';
import { sha256 } from '../values/sha256.ts';
import * as signInKeys from './keys.ts';

/** Length of the window, which begins with the first failed attempt. */
const windowSeconds = 15 * 60;
/** Number of passwords that may be tried for a name within `windowSeconds`. */
const attemptsMaxOfName = 10;
/** The same from one address, behind which may be many people. */
const attemptsMaxFromAddress = 100;

type AttemptedTo = 'sign in' | 'change it';

/** Attempt to sign in, or to sign up. */
export interface Attempt {
  /** Name as it was typed; nobody learns whether anybody has it. Missing where only the address counts. */
  readonly name?: string;
  /** Purpose of the password; attempts are counted for each purpose. */
  readonly to?: AttemptedTo;
  /** IP address; empty if unknown. */
  readonly address: string;
}

/** A 429: there were too many attempts of late. */
export class LockedOut extends ApiError {
  /** True for the first attempt that the lock refuses. */
  readonly isFirst: boolean;

  constructor(message: string, retryAfterSeconds: number, isFirst: boolean) {
    super('TooManyRequests', message, undefined, { retryAfterSeconds });
    this.isFirst = isFirst;
  }
}

/**
 * Counts an attempt before it is made, so that of many at the same moment no more get through than one after the other.
 * @throws LockedOut 429 if there were too many of late, for the name or from the address.
 */
export async function takeAttempt(request: Request, { name, to, address }: Attempt): Promise<void> {
  const limits = [
    ...(name === undefined ? [] : [{ key: attemptsOf(name, to), max: attemptsMaxOfName }]),
    ...(address === '' ? [] : [{ key: attemptsFrom(address), max: attemptsMaxFromAddress }]),
  ];
  const counted = await Promise.all(
    limits.map(async ({ key, max }) => ({ ...(await countInWindow(request, key, 1, windowSeconds)), max })),
  );
  const exceeded = counted.filter(({ count, max }) => count > max);
  if (exceeded.length === 0) return;
  const ends = Math.max(...exceeded.map(({ expiresAtSeconds }) => expiresAtSeconds));
  const retryAfterSeconds = Math.max(1, ends - Math.floor(Date.now() / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const message = `Too many attempts; try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  const isFirst = exceeded.some(({ count, max }) => count === max + 1);
  throw new LockedOut(message, retryAfterSeconds, isFirst);
}

const mailsWindowSeconds = 60 * 60;
/** Number of mails per hour that others may request: to one e-mail address, and from one network address. */
const mailsMax = { to: 3, from: 30 };

/** Counts a request for a mail, and tells whether the mail may be sent. Requests for unknown addresses count, too. */
export async function mayMail(
  request: Request,
  { name, address }: Required<Pick<Attempt, 'name' | 'address'>>,
): Promise<boolean> {
  const counted = await Promise.all([
    countInWindow(request, attemptsKey('mail to', name.toLowerCase()), 1, mailsWindowSeconds),
    address === ''
      ? { count: 0 }
      : countInWindow(request, attemptsKey('mail from', networkOf(address)), 1, mailsWindowSeconds),
  ]);
  return counted[0].count <= mailsMax.to && counted[1].count <= mailsMax.from;
}

/** Gives an attempt from an address back that succeeded. It may get lost. */
export async function giveBackAttempt(request: Request, { address }: Pick<Attempt, 'address'>): Promise<void> {
  if (address !== '') await countInWindow(request, attemptsFrom(address), -1, windowSeconds).catch(() => {});
}

/** Returns the key that counts attempts for a name, which is the same for all that find its user. */
export function attemptsOf(name: string, to: AttemptedTo = 'sign in'): Key {
  return attemptsKey(to === 'sign in' ? 'name' : to, peopleKeys.signInName(name).sk);
}

/** Addresses of IPv6 are counted by their /64 network, since one client has all addresses of it. */
function attemptsFrom(address: string): Key {
  return attemptsKey('address', networkOf(address));
}

/** Returns the part of an address that a client cannot choose; empty of an unknown one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail)];
  const missing = address.includes('::') ? Array<string>(8 - first.length - last.length).fill('0') : [];
  return [...first, ...missing, ...last].slice(0, 4).join(':');
}

/** Returns the key that counts attempts of a kind; it does not reveal the text. */
export function attemptsKey(kind: string, text: string): Key {
  return signInKeys.attempts(sha256(`${kind} ${text}`));
}
