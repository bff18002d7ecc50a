import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import type { Work } from '../../store/work.ts';

/** The cost of a hash; `logN` is the binary logarithm of scrypt's N. */
interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's minimum, in the variant with the least memory (16 MB), which suits small functions. @internal */
export const standardCost: Cost = { logN: 14, r: 8, p: 5 };

/** The cost of new hashes. Tests, which create thousands, lower it. @internal */
export const newHashes = { cost: standardCost };

const hashBytes = 32;
const maxMemory = 256 * 1024 * 1024;

/** The number of concurrent hashes is low, since commits need one of Node's four threads to write to the disk. */
const hashesAtOnce = pLimit(2);

/** The request that needs a hash. A request that has ended before its turn gets none. */
type Hashing = Pick<Work, 'signal'>;

/**
 * Hashes a password with a new salt. The result contains everything for a comparison: `$scrypt$ln=14,r=8,p=5$salt$hash`.
 */
export async function hashPassword(request: Hashing, password: string, cost: Cost = newHashes.cost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await hashWith(request, password, salt, cost);
  const { logN, r, p } = cost;
  return ['', 'scrypt', `ln=${logN},r=${r},p=${p}`, salt.toString('base64'), hash.toString('base64')].join('$');
}

/**
 * Returns true if a password matches a stored hash. Without a hash, it returns false after the same time, so that the time does not
 * reveal who has a password.
 */
export async function matchesPassword(
  request: Hashing,
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const [, , cost = '', salt = '', hash = ''] = stored?.split('$') ?? [];
  const parameters = Object.fromEntries(cost.split(',').map((pair) => pair.split('='))) as Record<string, string>;
  const storedCost: Cost =
    stored === undefined
      ? newHashes.cost
      : { logN: Number(parameters.ln), r: Number(parameters.r), p: Number(parameters.p) };
  const expected = stored === undefined ? randomBytes(hashBytes) : Buffer.from(hash, 'base64');
  const actual = await hashWith(request, password, Buffer.from(salt, 'base64'), storedCost);
  return timingSafeEqual(actual, expected) && stored !== undefined;
}

/**
 * Hashes a password in a normalised Unicode form, since characters can be encoded in several forms that look the same.
 */
function hashWith({ signal }: Hashing, password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: maxMemory };
  return hashesAtOnce(() => {
    signal?.throwIfAborted();
    return derive(Buffer.from(password.normalize('NFKC')), salt, options);
  });
}

function derive(password: Buffer, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, hashBytes, options, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
