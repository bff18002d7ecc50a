import { codec } from '../../entity/codec.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { readItem } from '../../store/read.ts';
import type { Write } from '../../store/transactions/write.ts';
import * as signInKeys from '../keys.ts';

/** Sign-in data of a user, apart from the data that others see. */
export interface SignInRecord {
  /** Missing if they have no password. */
  readonly passwordHash?: string;
  readonly passwordChangedAt?: string;
  /** The password was made up by the first start, and nobody has chosen another one since. */
  readonly isMadeUp?: true;
  /** The hash of the link by which they may choose a password, made for them by those who administer; one at a time. */
  readonly linkHash?: string;
  readonly linkExpiresAt?: string;
  /** Password links mailed at the request of anybody who knows the address. */
  readonly mailedLinks?: readonly KeptLink[];
}

/** Stored part of a link. */
export type KeptLink = Required<Pick<SignInRecord, 'linkHash' | 'linkExpiresAt'>>;

/** Record with the version that a change rests on; 0 if there is none yet. Each sign-in raises it. */
export type StoredRecord = SignInRecord & { readonly version: number };

const { encode, decode } = codec<SignInRecord>({ mailedLinks: true });

export async function loadRecord(request: Request, userId: number): Promise<StoredRecord> {
  const item = await readItem<Key & { readonly version: number }>(request, signInKeys.signIn(userId));
  if (item === undefined) return { version: 0 };
  return { ...decode(item), version: item.version };
}

/** Returns the write that changes a record. */
export function recordChanged(userId: number, before: StoredRecord, after: SignInRecord): Write {
  const item = { ...encode(after), version: before.version + 1 };
  return {
    put: signInKeys.signIn(userId),
    item,
    when: before.version === 0 ? 'absent' : { version: before.version },
  };
}

/** Returns the condition that a user still has a password; a concurrent change of it notices the sign-in. */
export function recordUsed(userId: number, passwordHash: string, otherwise: () => Error): Write {
  return { add: signInKeys.signIn(userId), amounts: { version: 1 }, when: { same: { passwordHash } }, otherwise };
}

/** Returns the writes that end all links by which a user may choose a password. */
export function linksEnded(userId: number, before: StoredRecord): Write[] {
  const { version: _, linkHash, linkExpiresAt, mailedLinks, ...others } = before;
  return linkHash === undefined && mailedLinks === undefined ? [] : [recordChanged(userId, before, others)];
}
