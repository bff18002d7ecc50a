import { BlockList, isIP } from 'node:net';

const bits: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Tells whether a text is an IP address, or a range of them in the notation of RFC 4632 and RFC 4291. */
export function isIpRange(text: string): boolean {
  const [address = '', prefix = '0', ...others] = text.split('/');
  return others.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits[isIP(address)] ?? -1);
}

/** Returns a test whether a text is an address in one of some ranges; a text that is no range holds no address. */
export function isInRanges(ranges: readonly string[]): (text: string) => boolean {
  // One list for both would take an IPv4 address in the notation of IPv6 for one of IPv4, which no SDK does.
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const range of ranges.filter(isIpRange)) {
    const [address = '', prefix] = range.split('/');
    const version = isIP(address) === 4 ? 4 : 6;
    lists[version].addSubnet(address, Number(prefix ?? bits[version]), `ipv${version}`);
  }
  return (text) => {
    const version = isIP(text);
    return (version === 4 || version === 6) && lists[version].check(text, `ipv${version}`);
  };
}
