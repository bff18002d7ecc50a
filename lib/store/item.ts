/**
 * The type of an item's attributes: flat values only. Lists and objects are kept as JSON text, which is read several
 * times faster than the store's own nested types and takes any depth and any number that JSON takes.
 */
type Attribute = string | number | boolean | null | undefined;
export type Attributes = Readonly<Record<string, Attribute>>;

/** AWS's documented limit for an item, attribute names included. */
export const itemBytesMax = 400 * 1024;

/** A number takes up to 21 bytes in the store; truth values and null take one. */
function attributeBytes(value: Attribute): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'number' ? 21 : 1;
}

/** The size of an item as the store counts it, never less; its key is a part of it. */
export function itemBytes(item: Attributes): number {
  let bytes = 0;
  // A loop over names, since every write is measured several times on its way to the store.
  for (const name in item) bytes += Buffer.byteLength(name) + attributeBytes(item[name]);
  return bytes;
}
