import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import pLimit from 'p-limit';
import type { Work } from '../../store/work.ts';

/** Cost of a hash: `logN` is the binary logarithm of scrypt's N. */
interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

/** Minimum that OWASP recommends, in the variant that needs the least memory and so suits small functions: 16 MB. @internal */
export const standardCost: Cost = { logN: 14, r: 8, p: 5 };

/** Cost of new hashes. Tests, which make thousands, lower it. @internal */
export const newHashes = { cost: standardCost };

const hashBytes = 32;
const memoryMax = 256 * 1024 * 1024;

/** So few run at once, since a commit waits for one of Node's four threads to bring it to the disk. */
const hashesAtOnce = pLimit(2);

/** Request that a hash is for. One that has ended before its turn gets none. */
type Hashing = Pick<Work, 'signal'>;

/**
 * Hashes a password with a new salt. The result holds all that a comparison needs: `$scrypt$ln=14,r=8,p=5$salt$hash`.
 */
export async function hashPassword(request: Hashing, password: string, cost: Cost = newHashes.cost): Promise<string> {
  const salt = randomBytes(16);
  const hash = await hashWith(request, password, salt, cost);
  const { logN, r, p } = cost;
  return ['', 'scrypt', `ln=${logN},r=${r},p=${p}`, salt.toString('base64'), hash.toString('base64')].join('$');
}

/**
 * Tells whether a password matches a stored hash. Without a hash the answer is false after the same time, so that the
 * time does not reveal who has a password.
 */
export async function isPassword(request: Hashing, password: string, stored: string | undefined): Promise<boolean> {
  const [, , cost = '', salt = '', hash = ''] = stored?.split('$') ?? [];
  const parameters = Object.fromEntries(cost.split(',').map((each) => each.split('='))) as Record<string, string>;
  const known: Cost =
    stored === undefined
      ? newHashes.cost
      : { logN: Number(parameters.ln), r: Number(parameters.r), p: Number(parameters.p) };
  const expected = stored === undefined ? randomBytes(hashBytes) : Buffer.from(hash, 'base64');
  const found = await hashWith(request, password, Buffer.from(salt, 'base64'), known);
  return timingSafeEqual(found, expected) && stored !== undefined;
}

/**
 * Hashes a password in one Unicode form, since a character can be sent in several that look alike to the person who
 * types it.
 */
function hashWith({ signal }: Hashing, password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options = { N: 2 ** logN, r, p, maxmem: memoryMax };
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
