import { normalNumber } from './decimal.ts';
import { badRequest } from './store-error.ts';

/** A value in the form of the store's protocol: an object with its type as the only member. */
export interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
  readonly BOOL?: boolean;
  readonly NULL?: true;
  readonly L?: readonly AttributeValue[];
  readonly M?: WireItem;
}

/** The attributes of an item by name, in the form of the store's protocol. */
export type WireItem = Readonly<Record<string, AttributeValue>>;

const bytesOfText = (text: string) => Buffer.byteLength(text);
/** A binary value comes as base64. */
const bytesOfBinary = (text: string) => Math.floor((text.replace(/=+$/, '').length * 3) / 4);
const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);

/** DynamoDB's documented size of a number: a byte for each two digits, and one. */
function bytesOfNumber(text: string): number {
  const digits = text.replace(/^-/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;
  return Math.ceil(digits / 2) + 1 + Number(text.startsWith('-'));
}

function bytesOfValue(value: AttributeValue): number {
  const [[type, content] = ['', undefined]] = Object.entries(value) as [string, unknown][];
  switch (type) {
    case 'S':
      return bytesOfText(content as string);
    case 'N':
      return bytesOfNumber(content as string);
    case 'B':
      return bytesOfBinary(content as string);
    case 'SS':
      return sum((content as string[]).map(bytesOfText));
    case 'NS':
      return sum((content as string[]).map(bytesOfNumber));
    case 'BS':
      return sum((content as string[]).map(bytesOfBinary));
    case 'L':
      return 3 + sum((content as AttributeValue[]).map((each) => 1 + bytesOfValue(each)));
    case 'M':
      return 3 + Object.keys(content as object).length + bytesOfItem(content as WireItem);
    default:
      return 1;
  }
}

/** The size of an item as DynamoDB counts it, names included. */
export function bytesOfItem(item: WireItem): number {
  let bytes = 0;
  for (const name in item) bytes += bytesOfText(name) + bytesOfValue(item[name] as AttributeValue);
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

/**
 * The value as it is kept, numbers in one form.
 * @throws StoreError for what the protocol does not have.
 */
export function normalValue(value: AttributeValue): AttributeValue {
  const [[type, content] = ['', undefined], ...others] = Object.entries(value ?? {});
  switch (others.length > 0 ? '' : type) {
    case 'S':
    case 'B':
      unicode(content);
      return value;
    case 'SS':
    case 'BS':
      content.forEach(unicode);
      return value;
    case 'BOOL':
    case 'NULL':
      return value;
    case 'N':
      return { N: normalNumber(String(content)) };
    case 'NS':
      return { NS: content.map(normalNumber) };
    case 'L':
      return { L: content.map(normalValue) };
    case 'M':
      return { M: normalItem(content) };
    default:
      throw badRequest('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes');
  }
}

/** The attributes as they are kept. */
export function normalItem(item: WireItem): Record<string, AttributeValue> {
  const normal: Record<string, AttributeValue> = {};
  for (const name in item) normal[unicode(name)] = normalValue(item[name] as AttributeValue);
  return normal;
}
