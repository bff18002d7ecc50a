import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { normalizeNumber } from './decimal.ts';
import { badRequest } from './store-error.ts';

/** Returns DynamoDB's documented size of a number: one byte per two digits, and one more. */
function bytesOfNumber(text: string): number {
  const digits = text.replace(/^[-0.]+|\.|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + Number(text.startsWith('-'));
}

/** Returns the size of an item as DynamoDB counts it, including the names. */
export function bytesOfItem(item: MarshalledItem): number {
  let bytes = 0;
  for (const name in item) {
    const { S, N } = item[name] as AttributeValue;
    bytes += Buffer.byteLength(name);
    if (S !== undefined) bytes += Buffer.byteLength(S);
    else bytes += N === undefined ? 1 : bytesOfNumber(N);
  }
  return bytes;
}

/**
 * Returns the text itself. No store accepts an unpaired UTF-16 surrogate, and SQLite would make all of them equal.
 * @throws StoreError for text with an unpaired surrogate.
 */
export function assertUnicode(text: string): string {
  if (!text.isWellFormed()) throw badRequest('The request has text that is not Unicode.');
  return text;
}

/** Returns a value as it is stored; numbers are normalized. */
function normalizeValue(value: AttributeValue): AttributeValue {
  let types = '';
  for (const type in value) types += type;
  if (types === 'N') return { N: normalizeNumber(String(value.N)) };
  if (types === 'S') assertUnicode(value.S as string);
  else if (types !== 'BOOL' && types !== 'NULL') {
    throw badRequest('Supplied AttributeValue must contain exactly one of the supported datatypes: S, N, BOOL or NULL');
  }
  return value;
}

/**
 * Returns attributes as they are stored.
 * @throws StoreError for types that Flagstaff does not store.
 */
export function normalizeItem(item: MarshalledItem): MarshalledItem {
  const normalized: MarshalledItem = {};
  for (const name in item) normalized[assertUnicode(name)] = normalizeValue(item[name] as AttributeValue);
  return normalized;
}

/** Returns the named attributes of an item, without those that it does not have. */
export function pick(item: MarshalledItem, names: readonly string[]): MarshalledItem {
  const picked: MarshalledItem = {};
  for (const name of names) if (item[name] !== undefined) picked[name] = item[name];
  return picked;
}
