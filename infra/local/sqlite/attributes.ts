import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { normalNumber } from './decimal.ts';
import { badRequest } from './store-error.ts';

/** DynamoDB's documented size of a number: a byte for each two digits, and one. */
function bytesOfNumber(text: string): number {
  const digits = text.replace(/^[-0.]+|\.|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + Number(text.startsWith('-'));
}

/** The size of an item as DynamoDB counts it, names included. */
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
 * Returns text as it is. No store takes half of a pair of UTF-16 alone, and SQLite would make all of them the same.
 * @throws StoreError for text with such a half.
 */
export function unicode(text: string): string {
  if (!text.isWellFormed()) throw badRequest('The request has text that is not Unicode.');
  return text;
}

/** The value as it is kept, numbers in one form. */
function normalValue(value: AttributeValue): AttributeValue {
  let types = '';
  for (const type in value) types += type;
  if (types === 'N') return { N: normalNumber(String(value.N)) };
  if (types === 'S') unicode(value.S as string);
  else if (types !== 'BOOL' && types !== 'NULL') {
    throw badRequest('Supplied AttributeValue must contain exactly one of the supported datatypes: S, N, BOOL or NULL');
  }
  return value;
}

/**
 * The attributes as they are kept.
 * @throws StoreError for what an item of Flagstaff does not have.
 */
export function normalItem(item: MarshalledItem): MarshalledItem {
  const normal: MarshalledItem = {};
  for (const name in item) normal[unicode(name)] = normalValue(item[name] as AttributeValue);
  return normal;
}

/** Some attributes of an item, as far as it has them. */
export function pick(item: MarshalledItem, names: readonly string[]): MarshalledItem {
  const picked: MarshalledItem = {};
  for (const name of names) if (item[name] !== undefined) picked[name] = item[name];
  return picked;
}
