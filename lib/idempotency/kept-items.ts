import { type Attributes, itemBytes, itemBytesMax } from '../store/item.ts';
import type { Condition } from '../store/transactions/write.ts';
import type { Moment } from '../values/time.ts';

/** The response to a request. */
export interface KeptReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The text is that of this object, which is answered many times. */
  readonly ready?: { readonly holds?: (at: Moment) => boolean };
  /** A binary body, in place of the text. */
  readonly bytes?: Buffer;
}

/** The seconds for which a key stands for its request: the "24 h" of the README. */
const keptSeconds = 24 * 60 * 60;

/** The attributes that all items kept of a request share. */
interface KeptItem {
  /** The store clears it away some time later; until then it is ignored. */
  readonly expiresAtSeconds: number;
}

/** A claim: the request is under way, or was carried out. */
export interface ClaimItem extends KeptItem {
  readonly fingerprint: string;
  /** Raised when an expired one is replaced. */
  readonly version: number;
  /** A note of the first step, if the other steps can be repeated. */
  readonly begun?: string;
}

export interface AnswerItem extends ClaimItem {
  readonly status: number;
  /** JSON: the headers of the operation itself. */
  readonly headers: string;
  /** The body, null for one that holds a secret or is more than an item holds. */
  readonly text: string | null;
  readonly isSecret?: true;
}

/** The result of one transaction of several. */
export interface PartItem extends KeptItem {
  /** JSON: string[]. */
  readonly names: string;
}

function expiry(): number {
  return Math.ceil(Date.now() / 1000) + keptSeconds;
}

export function claimItem(fingerprint: string, before: ClaimItem | undefined, begun?: string): ClaimItem {
  const version = (before?.version ?? 0) + 1;
  return { fingerprint, version, expiresAtSeconds: expiry(), ...(begun !== undefined && { begun }) };
}

/**
 * A body that is too large for an item, or that holds a secret, is left out; that the request was carried out is kept
 * all the same.
 */
export function answerItem(
  fingerprint: string,
  { status, headers, text }: KeptReply,
  before: ClaimItem | undefined,
  isSecret = false,
): AnswerItem {
  const claim = claimItem(fingerprint, before);
  if (isSecret) return { ...claim, status, headers: '{}', text: null, isSecret };
  const item = { ...claim, status, headers: JSON.stringify(headers), text };
  // The keys count, too.
  return itemBytes(item) + 512 > itemBytesMax ? { ...item, text: null } : item;
}

export function partItem(names: readonly string[]): Attributes {
  const item: PartItem = { names: JSON.stringify(names), expiresAtSeconds: expiry() };
  return { ...item };
}

/** Returns the condition that the item is as it was found: absent, or the same, be it expired or not. */
export function unchangedSince(before: ClaimItem | undefined): Condition {
  return before === undefined ? 'absent' : { version: before.version };
}
