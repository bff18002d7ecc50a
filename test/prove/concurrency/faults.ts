import fc from 'fast-check';
import type { Request } from '../../../lib/request.ts';
import { interceptAttempts } from '../../harness/intercept.ts';
import { failureErrors, type StoreFailure } from '../../harness/store-failures.ts';

const failuresOfAny = ['throttled', 'server error', 'lost answer'] as const;
const failuresOfTransactions = [...failuresOfAny, 'conflict', 'throttled part'] as const;

export interface FaultCounts {
  readonly requests: number;
  readonly failures: Readonly<Partial<Record<StoreFailure, number>>>;
}

const share = 20;
const rollsMax = 10_007;

/** Lets one in five requests to the store fail, repeated ones too, as long as the block lasts that uses it. */
export function injectFaults(table: Request, seed: number): Disposable & { readonly counts: () => FaultCounts } {
  const rolls = fc.sample(
    fc.record({
      fails: fc.noBias(fc.integer({ min: 1, max: 100 })).map((roll) => roll <= share),
      which: fc.nat({ max: 59 }),
    }),
    { seed, numRuns: rollsMax },
  );
  const failures: Partial<Record<StoreFailure, number>> = {};
  const carriedOut = new Set<string>();
  let requests = 0;
  const interception = interceptAttempts(table, async ({ input }, next) => {
    const roll = rolls[requests % rollsMax];
    requests += 1;
    const { ClientRequestToken: token } = input as { ClientRequestToken?: string };
    const failure = roll?.fails ? pick(roll.which, token, carriedOut) : undefined;
    if (failure !== undefined) failures[failure] = (failures[failure] ?? 0) + 1;
    if (failure !== undefined && failure !== 'lost answer') throw failureErrors[failure]();
    const answer = await next();
    if (token !== undefined) carriedOut.add(token);
    if (failure === undefined) return answer;
    throw failureErrors[failure]();
  });
  return { ...interception, counts: () => ({ requests, failures }) };
}

/**
 * Picks a failure. A transaction that was carried out is never canceled when it is sent again: the store knows its
 * token.
 */
function pick(which: number, token: string | undefined, carriedOut: ReadonlySet<string>): StoreFailure | undefined {
  const isOpen = token !== undefined && !carriedOut.has(token);
  const failures = isOpen ? failuresOfTransactions : failuresOfAny;
  return failures[which % failures.length];
}
