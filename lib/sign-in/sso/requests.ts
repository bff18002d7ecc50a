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

/** Time that a user has to sign on at their identity provider. */
const requestSeconds = 10 * 60;

/** A sign-on that is under way at an identity provider. */
export interface SignOnRequest {
  /** Secret shared with the browser that began the sign-on. */
  readonly nonce: string;
  /** The proof that the code of OIDC is used by the client that asked for it (RFC 7636). */
  readonly codeVerifier?: string;
}

/** Random text that cannot be guessed, as it stands in addresses, cookies and XML ids. */
export function randomText(): string {
  // An XML id begins with a letter.
  return `id-${randomBytes(28).toString('hex')}`;
}

/** Notes that a sign-on has begun. It can be used once, for ten minutes. */
export async function beginRequest(request: Request, id: string, asked: SignOnRequest): Promise<void> {
  const expiresAtSeconds = computeExpiry(requestSeconds);
  const write: Write = { put: signInKeys.signOn(id), item: { ...asked, expiresAtSeconds }, when: 'absent' };
  await retryLostRaces(request, () => transact(request, [write], undefined));
}

/** Finds a sign-on that was begun here and is not over. */
export async function findRequest(request: Request, id: string): Promise<SignOnRequest | undefined> {
  const item = await readItem<Key & SignOnRequest & { expiresAtSeconds: number }>(request, signInKeys.signOn(id));
  return item !== undefined && isUnexpired(item) ? item : undefined;
}

/** Returns the write that uses up a sign-on: of two answers at the same moment, the second is refused. */
export function requestUsed(id: string): Write {
  return {
    remove: signInKeys.signOn(id),
    when: 'present',
    otherwise: () => refuseSignOn('The sign-on has already been answered.'),
  };
}
