import { isIPv6 } from 'node:net';
import { ApiError } from '../errors.ts';
import * as peopleKeys from '../identity/keys.ts';
import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { countInWindow } from '../store/window.ts';
import { sha256 } from '../values/sha256.ts';
import * as signInKeys from './keys.ts';

/** The length of the window, which begins with the first attempt. */
const windowSeconds = 15 * 60;
/** The maximum number of attempts per name within `windowSeconds`. */
const maxAttemptsPerName = 10;
/** The maximum number of attempts per address, which many people may share. */
const maxAttemptsPerAddress = 100;

type Purpose = 'sign in' | 'change it';

/** An attempt to sign in or to sign up. */
export interface Attempt {
  /** The name as it was typed. Whether a user has it is not revealed. Omitted if only the address counts. */
  readonly name?: string;
  /** The purpose of the password. Attempts are counted per purpose. */
  readonly to?: Purpose;
  /** The IP address; empty if unknown. */
  readonly address: string;
}

/** A 429 after too many recent attempts. */
export class LockedOut extends ApiError {
  /** True for the first attempt that is refused. */
  readonly isFirst: boolean;

  constructor(message: string, retryAfterSeconds: number, isFirst: boolean) {
    super('TooManyRequests', message, undefined, { retryAfterSeconds });
    this.isFirst = isFirst;
  }
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit.
 * @throws LockedOut 429 after too many recent attempts for the name or from the address.
 */
export async function takeAttempt(request: Request, { name, to, address }: Attempt): Promise<void> {
  const limits = [
    ...(name === undefined ? [] : [{ key: attemptsOf(name, to), max: maxAttemptsPerName }]),
    ...(address === '' ? [] : [{ key: attemptsFrom(address), max: maxAttemptsPerAddress }]),
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
/** The maximum number of mails per hour that others may request: to an e-mail address, and from a network address. */
const maxMails = { to: 3, from: 30 };

/** Counts a request for a mail, and returns true if the mail may be sent. Requests for unknown addresses count, too. */
export async function takeMailAttempt(
  request: Request,
  { name, address }: Required<Pick<Attempt, 'name' | 'address'>>,
): Promise<boolean> {
  const counted = await Promise.all([
    countInWindow(request, attemptsKey('mail to', name.toLowerCase()), 1, mailsWindowSeconds),
    address === ''
      ? { count: 0 }
      : countInWindow(request, attemptsKey('mail from', networkOf(address)), 1, mailsWindowSeconds),
  ]);
  return counted[0].count <= maxMails.to && counted[1].count <= maxMails.from;
}

/** Removes a successful attempt from the count of an address. Failures are ignored. */
export async function giveBackAttempt(request: Request, { address }: Pick<Attempt, 'address'>): Promise<void> {
  if (address !== '') await countInWindow(request, attemptsFrom(address), -1, windowSeconds).catch(() => {});
}

/** Returns the key that counts attempts for a name. All spellings that find the same user have the same key. */
export function attemptsOf(name: string, to: Purpose = 'sign in'): Key {
  return attemptsKey(to === 'sign in' ? 'name' : to, peopleKeys.signInName(name).sk);
}

/** Returns the key that counts attempts from an address. IPv6 addresses count per /64 network, since a client has a whole network. */
function attemptsFrom(address: string): Key {
  return attemptsKey('address', networkOf(address));
}

/** Returns the part of an address that a client cannot choose; empty for an unknown address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const [first, last] = [groups(head), groups(tail)];
  const missing = address.includes('::') ? Array<string>(8 - first.length - last.length).fill('0') : [];
  return [...first, ...missing, ...last].slice(0, 4).join(':');
}

/** Returns the key that counts attempts of a kind. It contains only a hash of the text. */
export function attemptsKey(kind: string, text: string): Key {
  return signInKeys.attempts(sha256(`${kind} ${text}`));
}
