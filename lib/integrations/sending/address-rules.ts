import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buildRangeMatcher, isIpRange } from '../../values/ip-ranges.ts';
import { isLoopback } from '../../values/web-address.ts';

/** The rules for addresses of receivers. */
export interface AddressRules {
  /** Names, IP addresses and ranges (CIDR) that may be private and may be used without TLS. */
  readonly allowedHosts: readonly string[];
  /** The ports of this service on this machine, to which nothing is sent. */
  readonly ownPorts: readonly number[];
}

/** Resolves a name to all its addresses. */
export type Resolve = (
  name: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

/**
 * Shares one lookup of a name among all concurrent callers. Node runs two lookups at a time, and one with a silent name server
 * takes ten seconds and more, so that one integration would delay all others.
 * @internal
 */
export function shareResolve(lookUp: Resolve): Resolve {
  const waiting = new Map<string, Parameters<Resolve>[2][]>();
  return (name, options, done) => {
    const earlier = waiting.get(name);
    if (earlier !== undefined) {
      earlier.push(done);
      return;
    }
    const callbacks = [done];
    waiting.set(name, callbacks);
    lookUp(name, options, (error, addresses) => {
      waiting.delete(name);
      for (const callback of callbacks) callback(error, addresses);
    });
  };
}

const resolveShared = /* @__PURE__ */ shareResolve(resolve);

/** The private ranges of IPv4 (RFC 6890 and its registry). */
const privateV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...[
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/3',
  ],
];
/** The public range of IPv6, which contains some private ranges. Addresses that contain an IPv4 address are outside of it. */
const publicV6 = ['2000::/3'];
const privateV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/**
 * The addresses at which clouds hand out credentials, which no setting permits: the common one, those of Amazon and Google for
 * IPv6, and those of Alibaba, Oracle and Azure.
 */
const credentialRanges = [
  ...['169.254.0.0/16', 'fd00:ec2::/32', 'fd20:ce::254/128'],
  ...['100.100.100.200/32', '192.0.0.192/32', '168.63.129.16/32'],
];

const isPrivate = /* @__PURE__ */ buildRangeMatcher([...privateV4, ...privateV6]);
const isPublicV6 = /* @__PURE__ */ buildRangeMatcher(publicV6);
const isOfCredentials = /* @__PURE__ */ buildRangeMatcher(credentialRanges);

/** Ports of other protocols, whose servers could misread a request. Browsers block the same ports (Fetch, 2.9). */
const blockedPorts = /* @__PURE__ */ new Set([
  ...[
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  ],
  ...[
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  ],
  ...[540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061],
  ...[6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
]);

const setting = 'INTEGRATION_ALLOWED_HOSTS';

/** An address to which nothing may be sent. The message says why, and how to permit it. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Returns the problem of an address that shows without a lookup; undefined if there is none. */
export function findAddressProblem(address: string, rules: AddressRules): string | undefined {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'must be an address with https:.';
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user name or a password; put them into a header.';
  }
  const host = hostOf(url);
  if (url.protocol === 'http:' && !isAllowed(host, rules)) {
    return `must be an address with https:, unless ${setting} names ${host}.`;
  }
  const port = portOf(url);
  if (blockedPorts.has(port)) return `must not be at port ${port}, which belongs to another protocol.`;
  if (isIP(host) !== 0) return findIpProblem(host, host, port, rules);
  const isThisMachine = isLoopback(host) || host === '';
  return isThisMachine && !isAllowed(host, rules) ? describePrivate(host) : undefined;
}

/**
 * Builds the lookup of a request. It fails unless all addresses of the host are allowed, and the request connects to one of
 * these. IP addresses are not looked up; `findAddressProblem` checks them.
 */
export function buildLookup(url: URL, rules: AddressRules, lookUp: Resolve = resolveShared): LookupFunction {
  return (name, { all }, callback) => {
    lookUp(name, { all: true }, (error, addresses) => {
      const problem = addresses
        ?.map(({ address }) => findIpProblem(hostOf(url), address, portOf(url), rules))
        .find((text) => text !== undefined);
      const [first] = addresses ?? [];
      if (error !== null) callback(error, '', 0);
      else if (problem !== undefined) callback(new ForbiddenAddress(problem), '', 0);
      else if (first === undefined) callback(new Error(`${name} has no address.`), '', 0);
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns the problem of an IP address that a name resolves to; undefined if there is none. */
function findIpProblem(name: string, address: string, port: number, rules: AddressRules): string | undefined {
  const plain = toIPv4(address);
  // Ranges cannot match addresses with a zone.
  if (isIP(plain) === 0 || plain.includes('%') || isOfCredentials(plain)) return describePrivate(name, true);
  if (rules.ownPorts.includes(port) && isOwn(plain)) return `leads to this service at port ${port}.`;
  const isPublic = !isPrivate(plain) && (isIP(plain) === 4 || isPublicV6(plain));
  return isPublic || isAllowed(name, rules) || isAllowed(plain, rules) ? undefined : describePrivate(name);
}

function describePrivate(host: string, isFinal = false): string {
  return `leads into a private network${isFinal ? '' : `; ${setting} can permit ${host}`}.`;
}

/** Returns the IPv4 address of a mapped or translated (NAT64) IPv6 address, or the address itself. */
function toIPv4(address: string): string {
  const [, high, low] = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high !== undefined && low !== undefined) {
    const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]);
    return bytes.join('.');
  }
  return /^(?:::ffff:|64:ff9b::)(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** Tells whether an address reaches this machine: those of its interfaces, the loopback network, and 0. */
function isOwn(address: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address: text }) => text) ?? []);
  return isLoopback(address) || address === '::' || address.startsWith('0.') || addresses.includes(address);
}

function isAllowed(host: string, { allowedHosts }: AddressRules): boolean {
  const name = host.toLowerCase();
  const isBelow = (allowed: string) => allowed.startsWith('*.') && name.endsWith(allowed.slice(1));
  return allowedHosts.includes(name) || allowedHosts.some(isBelow) || buildRangeMatcher(allowedHosts)(host);
}

/**
 * Tells whether a text is valid in the list of allowed hosts: a name, all names below one, an IP address or a range.
 * @internal
 */
export function isAllowable(text: string): boolean {
  return isIpRange(text) || (!text.includes('/') && /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(text));
}

/** @throws Error if `INTEGRATION_ALLOWED_HOSTS` has a value that is no name, address or range. */
export function requireAllowedHosts(environment: NodeJS.ProcessEnv): void {
  if (readAllowedHosts(environment).every(isAllowable)) return;
  throw new Error(
    'INTEGRATION_ALLOWED_HOSTS must be host names such as chat.example or *.internal, addresses or ranges such as 10.0.0.0/8, without ports, separated by commas.',
  );
}

/** Returns the hosts of `INTEGRATION_ALLOWED_HOSTS`. */
export function readAllowedHosts({ INTEGRATION_ALLOWED_HOSTS = '' }: NodeJS.ProcessEnv): string[] {
  const hosts = INTEGRATION_ALLOWED_HOSTS.split(',').map((host) => host.trim().toLowerCase());
  return hosts.filter((host) => host !== '');
}

/** Returns the host of an address, without the brackets of IPv6 and without a dot at its end. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
