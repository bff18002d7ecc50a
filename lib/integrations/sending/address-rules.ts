import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buildRangeMatcher, isIpRange } from '../../values/ip-ranges.ts';
import { isLoopback } from '../../values/web-address.ts';

/** The rules about which addresses may be asked. */
export interface AddressRules {
  /** Names, addresses and ranges (CIDR) that may be private, and may be asked without TLS. */
  readonly allowedHosts: readonly string[];
  /** Ports of this machine that belong to this service, which are never asked. */
  readonly ownPorts: readonly number[];
}

/** Resolves a name to all its addresses. */
export type Resolve = (
  name: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

/**
 * Makes a function that looks a name up once for all who ask at the same time. Node carries out two look-ups at a time, and one
 * whose server of names is silent takes ten seconds and more: one integration would hold up all others.
 * @internal
 */
export function shareResolve(look: Resolve): Resolve {
  const waiting = new Map<string, Parameters<Resolve>[2][]>();
  return (name, options, done) => {
    const others = waiting.get(name);
    if (others !== undefined) {
      others.push(done);
      return;
    }
    const all = [done];
    waiting.set(name, all);
    look(name, options, (error, addresses) => {
      waiting.delete(name);
      for (const callback of all) callback(error, addresses);
    });
  };
}

const resolveTogether = /* @__PURE__ */ shareResolve(resolve);

/** The ranges of IPv4 that are not on the internet (RFC 6890 and its registry). */
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
/** Of IPv6 only this is on the internet, but for what is within it: that leaves out all that holds an address of IPv4. */
const publicV6 = ['2000::/3'];
const privateV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/**
 * The addresses at which clouds hand out credentials, which no setting opens: that of nearly all of them, those of Amazon and
 * Google for IPv6, and those of Alibaba, Oracle and Azure.
 */
const never = [
  ...['169.254.0.0/16', 'fd00:ec2::/32', 'fd20:ce::254/128'],
  ...['100.100.100.200/32', '192.0.0.192/32', '168.63.129.16/32'],
];

const isPrivate = /* @__PURE__ */ buildRangeMatcher([...privateV4, ...privateV6]);
const isPublicV6 = /* @__PURE__ */ buildRangeMatcher(publicV6);
const isNever = /* @__PURE__ */ buildRangeMatcher(never);

/** Ports of other protocols, which could take a request for one of theirs: those that browsers block (Fetch, 2.9). */
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

/** Address that may not be asked; the message says why, and what would change that. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** A name or address that may not be asked as it stands, without looking it up; undefined where it may. */
export function addressProblem(address: string, rules: AddressRules): string | undefined {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'must be an address with https:.';
  if (url.username !== '' || url.password !== '') {
    return 'must not hold a user name or a password; put them into a header.';
  }
  const host = hostOf(url);
  if (url.protocol === 'http:' && !isAllowed(host, rules)) {
    return `must be an address with https:, unless ${setting} names ${host}.`;
  }
  const port = portOf(url);
  if (blockedPorts.has(port)) return `must not be at port ${port}, which belongs to another protocol.`;
  if (isIP(host) !== 0) return refusalOf(host, host, port, rules);
  const isThisMachine = isLoopback(host) || host === '';
  return isThisMachine && !isAllowed(host, rules) ? privateProblem(host) : undefined;
}

/**
 * Makes the function by which a request looks up its host: it fails unless all addresses are allowed, and the request
 * connects to one of those that were judged. Literal addresses are not looked up; `addressProblem` judges them.
 */
export function buildLookup(url: URL, rules: AddressRules, look: Resolve = resolveTogether): LookupFunction {
  return (name, { all }, callback) => {
    look(name, { all: true }, (error, addresses) => {
      const problem = addresses
        ?.map(({ address }) => refusalOf(hostOf(url), address, portOf(url), rules))
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

/** Returns why an address is refused that a name leads to. */
function refusalOf(name: string, address: string, port: number, rules: AddressRules): string | undefined {
  const plain = unmapped(address);
  // Addresses with a zone are no addresses that ranges know of.
  if (isIP(plain) === 0 || plain.includes('%') || isNever(plain)) return privateProblem(name, true);
  if (rules.ownPorts.includes(port) && isOwn(plain)) return `leads to this service itself, at port ${port}.`;
  const isPublic = !isPrivate(plain) && (isIP(plain) === 4 || isPublicV6(plain));
  return isPublic || isAllowed(name, rules) || isAllowed(plain, rules) ? undefined : privateProblem(name);
}

function privateProblem(host: string, isForGood = false): string {
  return `leads into a private network${isForGood ? '' : `; ${setting} can permit ${host}`}.`;
}

/** Returns the address of IPv4 that one of IPv6 stands for: mapped, or translated by NAT64. */
function unmapped(address: string): string {
  const [, high, low] = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high !== undefined && low !== undefined) {
    const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]);
    return bytes.join('.');
  }
  return /^(?:::ffff:|64:ff9b::)(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/** An address of this machine. Others than those of its interfaces reach it, too: all of the loopback network, and 0. */
function isOwn(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address: text }) => text) ?? []);
  return isLoopback(address) || address === '::' || address.startsWith('0.') || own.includes(address);
}

function isAllowed(host: string, { allowedHosts }: AddressRules): boolean {
  const name = host.toLowerCase();
  const isBelow = (allowed: string) => allowed.startsWith('*.') && name.endsWith(allowed.slice(1));
  return allowedHosts.includes(name) || allowedHosts.some(isBelow) || buildRangeMatcher(allowedHosts)(host);
}

/**
 * Tells whether a text can stand in the list of allowed hosts: a name, all names below one, an address or a range.
 * @internal
 */
export function isAllowable(text: string): boolean {
  return isIpRange(text) || (!text.includes('/') && /^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(text));
}

/** @throws Error where `INTEGRATION_ALLOWED_HOSTS` holds something else than names, addresses and ranges. */
export function requireAllowedHosts(environment: NodeJS.ProcessEnv): void {
  if (readAllowedHosts(environment).every(isAllowable)) return;
  throw new Error(
    'INTEGRATION_ALLOWED_HOSTS must be host names such as chat.example or *.internal, addresses or ranges such as 10.0.0.0/8, without ports, with commas between them.',
  );
}

/** Returns the hosts that `INTEGRATION_ALLOWED_HOSTS` names. */
export function readAllowedHosts({ INTEGRATION_ALLOWED_HOSTS = '' }: NodeJS.ProcessEnv): string[] {
  const hosts = INTEGRATION_ALLOWED_HOSTS.split(',').map((host) => host.trim().toLowerCase());
  return hosts.filter((host) => host !== '');
}

/** Without the brackets of IPv6, and without the dot that ends a name in full. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
