import { BlockList, isIP } from 'node:net';

const bits: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** Tells whether a text is an IP address or a CIDR range, such as 10.0.0.0/8. */
export function isIpRange(text: string): boolean {
  const [address = '', prefix = '0', ...others] = text.split('/');
  return others.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (bits[isIP(address)] ?? -1);
}

/** Returns a predicate for "address in any range". An invalid range matches nothing. */
export function buildRangeMatcher(ranges: readonly string[]): (text: string) => boolean {
  // A single list would match ::ffff:10.0.0.1 against 10.0.0.0/8, which no SDK does.
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
