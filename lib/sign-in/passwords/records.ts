import { codec } from '../../entity/codec.ts';
import type { Pointer } from '../../entity/entity-definition.ts';
import * as peopleKeys from '../../identity/keys.ts';
import type { Request } from '../../request.ts';
import type { Key } from '../../store/client/definition.ts';
import { readItem } from '../../store/read.ts';
import type { Write } from '../../store/transactions/write.ts';
import * as signInKeys from '../keys.ts';

/** The sign-in data of a user, which are stored apart from the data that others may see. */
export interface SignInRecord {
  /** Omitted if the user has no password. */
  readonly passwordHash?: string;
  readonly passwordChangedAt?: string;
  /** Set if the first start generated the password, and nobody has chosen another since. */
  readonly isMadeUp?: true;
  /** The hash of the link that an administrator created for choosing a password. There is at most one. */
  readonly linkHash?: string;
  readonly linkExpiresAt?: string;
  /** Links for choosing a password that were mailed when anyone asked for them. */
  readonly mailedLinks?: readonly StoredLink[];
}

/** The stored part of a link. */
export type StoredLink = Required<Pick<SignInRecord, 'linkHash' | 'linkExpiresAt'>>;

/** A record with its version for conditional writes; 0 if there is none yet. Each sign-in raises it. */
export type StoredRecord = SignInRecord & { readonly version: number };

const { encode, decode } = codec<SignInRecord>({ mailedLinks: true });

export async function loadRecord(request: Request, userId: number): Promise<StoredRecord> {
  const item = await readItem<Key & { readonly version: number }>(request, signInKeys.signIn(userId));
  if (item === undefined) return { version: 0 };
  return { ...decode(item), version: item.version };
}

/** Returns the write that replaces a record. */
export function buildRecordChange(userId: number, before: StoredRecord, after: SignInRecord): Write {
  const item = { ...encode(after), version: before.version + 1 };
  return {
    put: signInKeys.signIn(userId),
    item,
    when: before.version === 0 ? 'absent' : { version: before.version },
  };
}

/** Returns the write of a sign-in, whose condition is that the password is still the same. It makes concurrent changes of it fail. */
export function buildRecordUse(userId: number, passwordHash: string, otherwise: () => Error): Write {
  return { add: signInKeys.signIn(userId), amounts: { version: 1 }, when: { same: { passwordHash } }, otherwise };
}

/** Returns the writes that invalidate all links with which a user may choose a password. */
export function buildLinkRemoval(userId: number, before: StoredRecord): Write[] {
  const { version: _, linkHash, linkExpiresAt, mailedLinks, ...others } = before;
  return linkHash === undefined && mailedLinks === undefined ? [] : [buildRecordChange(userId, before, others)];
}

/** Finds the id of the user who signs in with a name, which is an e-mail address or a user name. It ignores case. */
export async function findUserId(request: Request, name: string): Promise<number | undefined> {
  return (await readItem<Key & Pointer<number>>(request, peopleKeys.signInName(name)))?.id;
}
