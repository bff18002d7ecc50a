import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../item.ts';

/** An item, a key, or the values of an expression, as the store's protocol has them. */
export type WireAttributes = Record<string, AttributeValue>;

/** Attributes in the form that goes to the store; what is undefined is left out. */
export function toWire(attributes: Attributes): WireAttributes {
  const wire: WireAttributes = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (typeof value === 'string') wire[name] = { S: value };
    else if (typeof value === 'number') wire[name] = { N: String(value) };
    else if (typeof value === 'boolean') wire[name] = { BOOL: value };
    else if (value === null) wire[name] = { NULL: true };
  }
  return wire;
}

/**
 * Attributes as the store's answer has them. They come in any order; sorted, thousands of items with the same attributes
 * have one shape in V8, which creates and reads them faster.
 * @throws Error for a type that nothing here writes.
 */
export function fromWire(wire: WireAttributes): Record<string, string | number | boolean | null> {
  const attributes: Record<string, string | number | boolean | null> = {};
  for (const name of Object.keys(wire).toSorted()) attributes[name] = plainValue(name, wire[name] as AttributeValue);
  return attributes;
}

function plainValue(name: string, value: AttributeValue): string | number | boolean | null {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL !== undefined) return null;
  throw new Error(`The attribute "${name}" is of the type ${Object.keys(value)}, which no item of this table has.`);
}
