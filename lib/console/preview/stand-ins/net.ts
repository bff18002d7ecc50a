/* The part of Node's module "net" that evaluation uses, for browsers. The preview must decide as the service does. */

/** Tells the version of an IP address; 0 for another text. Like Node, it takes a zone, and no leading zeros. */
export function isIP(text: string): 0 | 4 | 6 {
  if (parseV4(text) !== undefined) return 4;
  return parseV6(text) === undefined ? 0 : 6;
}

/** The IPv6 addresses that stand for IPv4 addresses begin with this. */
const mappedPrefix = 0xffffn << 32n;

/** A list of ranges of addresses. Like Node's, it takes an IPv4 address and the IPv6 address for it as one. */
export class BlockList {
  readonly #ranges: { readonly start: bigint; readonly bits: bigint }[] = [];

  addSubnet(address: string, prefix: number, type: 'ipv4' | 'ipv6'): void {
    const bits = BigInt((type === 'ipv4' ? 32 : 128) - prefix);
    this.#ranges.push({ start: toNumber(address) >> bits, bits });
  }

  check(address: string, _type: 'ipv4' | 'ipv6'): boolean {
    const value = toNumber(address);
    return this.#ranges.some(({ start, bits }) => value >> bits === start);
  }
}

/** Converts an address to a number of 128 bits. */
function toNumber(address: string): bigint {
  const v4 = parseV4(address);
  return v4 === undefined ? (parseV6(address) ?? -1n) : mappedPrefix | v4;
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  const isValid = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return isValid ? parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n) : undefined;
}

function parseV6(text: string): bigint | undefined {
  const [, address] = /^([^%]*)(?:%[0-9a-zA-Z.:-]+)?$/.exec(text) ?? [];
  if (address === undefined) return undefined;
  const [head = '', tail, ...others] = address.split('::');
  if (others.length > 0) return undefined;
  const before = parseGroups(head, tail === undefined);
  const after = tail === undefined ? [] : parseGroups(tail, true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before, ...Array.from({ length: missing }, () => 0n), ...after];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

/** Parses groups of 16 bits; the last two may be an IPv4 address at the end of an address. */
function parseGroups(text: string, isEnd: boolean): bigint[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1) ?? '';
  const embedded = isEnd && last.includes('.') ? parseV4(last) : undefined;
  if (embedded !== undefined) parts.pop();
  if (!parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined;
  const groups = parts.map((part) => BigInt(`0x${part}`));
  return embedded === undefined ? groups : [...groups, embedded >> 16n, embedded & 0xffffn];
}
