import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A request that an operation takes for good in form. */
export interface ContractOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Left out where it takes no body. */
  readonly body?: unknown;
  /** The most bytes that its body may have; 102,400 where it is left out. */
  readonly bodyBytesMax?: number;
  /** The properties of the body that must be there. */
  readonly required: readonly string[];
  /** True if any valid token is accepted. */
  readonly isOpen: boolean;
  /** True if its path names something that does not exist, so that it is answered 404. */
  readonly isOfUnknown: boolean;
}

/**
 * Part of the names of one run: the next one asks for things that do not exist. It has no digit, so that a
 * password that is made of it is refused before the old one is looked at.
 */
const run = randomBytes(4)
  .toString('hex')
  .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));

/** Every operation that asks for a token, as `npm run generate` writes them from the specifications of the endpoints. */
export const contractOperations: readonly ContractOperation[] = JSON.parse(
  readFileSync(new URL('operations.json', import.meta.url), 'utf8').replaceAll(
    /contract-(?:unknown|named)/g,
    (name) => `${name}-${run}`,
  ),
);
