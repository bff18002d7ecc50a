import { randomBytes } from 'node:crypto';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { readItem } from '../../store/read.ts';
import { retryLostRaces } from '../../store/transactions/retry.ts';
import { transact } from '../../store/transactions/transact.ts';
import type { Write } from '../../store/transactions/write.ts';
import { computeExpiry, isUnexpired } from '../../values/time.ts';
import * as signInKeys from '../keys.ts';
import { refuseSignOn } from './refusal.ts';

/** The time for a user to sign on at their identity provider. */
const requestSeconds = 10 * 60;

/** A sign-on that waits for the answer of an identity provider. */
export interface SignOnRequest {
  /** The secret that the browser that began the sign-on also has. */
  readonly nonce: string;
  /** The proof that the client that uses the code of OIDC is the one that requested it (RFC 7636). */
  readonly codeVerifier?: string;
}

/** Returns random text that cannot be guessed, for addresses, cookies and XML ids. */
export function randomText(): string {
  // An XML id must begin with a letter.
  return `id-${randomBytes(28).toString('hex')}`;
}

/** Stores the start of a sign-on, which can be answered once within ten minutes. */
export async function beginRequest(request: Request, id: string, signOnRequest: SignOnRequest): Promise<void> {
  const expiresAtSeconds = computeExpiry(requestSeconds);
  const write: Write = { put: signInKeys.signOn(id), item: { ...signOnRequest, expiresAtSeconds }, when: 'absent' };
  await retryLostRaces(request, () => transact(request, [write], undefined));
}

/** Finds a sign-on that was begun here, and has neither been answered nor expired. */
export async function findRequest(request: Request, id: string): Promise<SignOnRequest | undefined> {
  const item = await readItem<Key & SignOnRequest & { expiresAtSeconds: number }>(request, signInKeys.signOn(id));
  return item !== undefined && isUnexpired(item) ? item : undefined;
}

/** Returns the write that uses up a sign-on. If two answers are concurrent, the second is refused. */
export function buildSignOnRemoval(id: string): Write {
  return {
    remove: signInKeys.signOn(id),
    when: 'present',
    otherwise: () => refuseSignOn('The sign-on has already been answered.'),
  };
}
