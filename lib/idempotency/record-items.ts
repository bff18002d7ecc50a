import { type Attributes, itemBytes, itemBytesMax } from '../store/item.ts';
import type { Condition } from '../store/transactions/write.ts';
import type { Moment } from '../values/time.ts';

/** The response to a request, and the form in which it is kept for a repeat. */
export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Present if many requests share the text, always the same object for it; `holds` tells whether it is still valid. */
  readonly ready?: { readonly holds?: (at: Moment) => boolean };
  /** A binary body, instead of the text. */
  readonly bytes?: Buffer;
}

/** The lifetime of an idempotency key in seconds: the "24 h" of the README. */
const keySeconds = 24 * 60 * 60;

/** The attributes that all items of an idempotency record share. */
interface ExpiringItem {
  /** The store deletes the item some time after that; until then it is ignored. */
  readonly expiresAtSeconds: number;
}

/** A claim of an idempotency key: the request is under way, or was carried out. */
export interface ClaimItem extends ExpiringItem {
  readonly fingerprint: string;
  /** Raised when the reply replaces the claim, and when an expired item is replaced. */
  readonly version: number;
  /** The note of the first phase of a request whose other phases can be repeated. */
  readonly begun?: string;
}

export interface ReplyItem extends ClaimItem {
  readonly status: number;
  /** JSON: the headers of the operation itself. */
  readonly headers: string;
  /** The body; null if it contains a secret or is too large for an item. */
  readonly text: string | null;
  readonly isSecret?: true;
}

/** The result of one of several transactions of a request. */
export interface PartItem extends ExpiringItem {
  /** JSON: string[], the names of the units in the transaction. */
  readonly names: string;
}

function expiry(): number {
  return Math.ceil(Date.now() / 1000) + keySeconds;
}

export function claimItem(fingerprint: string, before: ClaimItem | undefined, begun?: string): ClaimItem {
  const version = (before?.version ?? 0) + 1;
  return { fingerprint, version, expiresAtSeconds: expiry(), ...(begun !== undefined && { begun }) };
}

/**
 * Returns the item of a reply. It has no body if the body is too large for an item or contains a secret; it still records that
 * the request was carried out.
 */
export function replyItem(
  fingerprint: string,
  { status, headers, text }: HttpReply,
  before: ClaimItem | undefined,
  isSecret = false,
): ReplyItem {
  const claim = claimItem(fingerprint, before);
  if (isSecret) return { ...claim, status, headers: '{}', text: null, isSecret };
  const item = { ...claim, status, headers: JSON.stringify(headers), text };
  // The keys count towards the size of the item; 512 bytes are more than they need.
  return itemBytes(item) + 512 > itemBytesMax ? { ...item, text: null } : item;
}

export function partItem(names: readonly string[]): Attributes {
  const item: PartItem = { names: JSON.stringify(names), expiresAtSeconds: expiry() };
  return { ...item };
}

/** Returns the condition that an item is unchanged since it was read: absent, or of the same version, expired or not. */
export function versionCondition(before: ClaimItem | undefined): Condition {
  return before === undefined ? 'absent' : { version: before.version };
}
