import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../item.ts';

/** An item, a key, or the values of an expression, in the format of DynamoDB's protocol. */
export type MarshalledItem = Record<string, AttributeValue>;

/** Converts attributes to the format of the protocol, without undefined ones. */
export function marshall(attributes: Attributes): MarshalledItem {
  const item: MarshalledItem = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === 'string') item[name] = { S: value };
    else if (typeof value === 'number') item[name] = { N: String(value) };
    else if (typeof value === 'boolean') item[name] = { BOOL: value };
    else if (value === null) item[name] = { NULL: true };
  }
  return item;
}

/**
 * Converts an item from the format of the protocol. DynamoDB returns attributes in any order. They are sorted, so that thousands of
 * items with the same attributes have the same shape in V8, which is faster.
 * @throws Error for a type of attribute that this project never writes.
 */
export function unmarshall(item: MarshalledItem): Record<string, string | number | boolean | null> {
  const attributes: Record<string, string | number | boolean | null> = {};
  for (const name of Object.keys(item).toSorted()) attributes[name] = plainValue(name, item[name] as AttributeValue);
  return attributes;
}

function plainValue(name: string, value: AttributeValue): string | number | boolean | null {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  throw new Error(`The attribute "${name}" has the type ${Object.keys(value)}, which Flagstaff does not use.`);
}
