/**
 * The type of an item's attributes: flat values only. Lists and objects are stored as JSON text, which is parsed several times
 * faster than DynamoDB's nested types and has no limits of depth or precision beyond those of JSON.
 */
type Attribute = string | number | boolean | null | undefined;
export type Attributes = Readonly<Record<string, Attribute>>;

/** AWS's documented limit for an item, attribute names included. */
export const itemBytesMax = 400 * 1024;

/** Counts the bytes of a value. DynamoDB counts up to 21 bytes for a number, and one for a boolean or null. */
function attributeBytes(value: Attribute): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'number' ? 21 : 1;
}

/** Returns the size of an item, or of a key, as DynamoDB counts it, or slightly more. The key is part of an item. */
export function itemBytes(item: Attributes): number {
  let bytes = 0;
  // A plain loop: every write is measured several times.
  for (const name in item) bytes += Buffer.byteLength(name) + attributeBytes(item[name]);
  return bytes;
}
