import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../item.ts';

/** An item, a key, or the values of an expression, in the form that DynamoDB's protocol gives them. */
export type MarshalledItem = Record<string, AttributeValue>;

/** Converts attributes to the form of the protocol, without those that are undefined. */
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
 * Converts an item from the form of the protocol. The store returns attributes in any order; sorted, thousands of items with the
 * same attributes have one shape in V8, which creates and reads them faster.
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
  throw new Error(`The attribute "${name}" is of the type ${Object.keys(value)}, which no item of this table has.`);
}
