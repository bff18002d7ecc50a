import { invalid } from '../errors.ts';
import type { Request } from '../request.ts';
import { batchUnits, type Unit } from '../store/batch.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transactPart } from '../store/transactions/transact.ts';
import { bytesOf, type Write } from '../store/transactions/write.ts';

/** Room that each transaction keeps for the counts and the marks that its units change, and for its part of a receipt. */
const commonWrites = 3;

/** Room besides for the condition of an override, the record of what it changes, and the rights that it takes. */
const overrideWrites = 10;

/**
 * Limit of bytes that a request may write: several times what a body of the default limit can ask for, and seconds of
 * work.
 */
const requestBytesMax = 20 * 1024 * 1024;

/**
 * Holds a request on many features to what one may write. What a feature takes can be many times what names it.
 * @throws ApiError 400 that says how to split the request.
 */
export class WriteBudget {
  readonly #features: number;
  #bytes = 0;
  #spent = 0;

  /** @param features number of features in the request. */
  constructor(features: number) {
    this.#features = features;
  }

  /** @param bytes number of bytes that were read of the feature besides, where they are many. */
  spend(writes: readonly Write[], bytes = 0): void {
    this.#bytes += bytes + bytesOf(writes);
    if (this.#bytes <= requestBytesMax) {
      if (writes.length > 0) this.#spent += 1;
      return;
    }
    throw invalid(
      `The change of ${this.#features} features would move more than ${requestBytesMax} bytes, the most for one request; ` +
        `send them in requests of at most ${Math.max(1, this.#spent)}.`,
    );
  }
}

/**
 * Packs changes into as few transactions as the store allows, with room for `reserved` further writes.
 * @throws ApiError 400 that names every unit which alone is more than a transaction.
 */
export function batchForRequest<T extends Unit>(
  { gate }: Pick<Request, 'gate'>,
  units: readonly T[],
  reserved = 0,
): T[][] {
  return batchUnits(units, reserved + commonWrites + (gate.overrideId() === undefined ? 0 : overrideWrites));
}

/**
 * Reads the units that earlier, interrupted runs of the same request have committed. It must be called after the
 * features were read: their versions detect changes that another run makes later.
 */
export async function loadFinishedUnits({ receipt }: Request): Promise<ReadonlySet<string>> {
  return (await receipt?.loadCompletedParts()) ?? new Set();
}

/**
 * Commits each batch in a transaction of its own, many in flight together. It waits for all of them, so that
 * everything is settled when a lost race is decided again.
 * @param onCommit is called for each batch that was committed, also when others fail.
 * @throws the first error that is no lost race, else LostRace where one was lost.
 */
export async function commitBatches(
  request: Request,
  batches: readonly (readonly Unit[])[],
  onCommit: () => void = () => {},
): Promise<void> {
  if (batches.length === 0) return;
  await request.receipt?.claim();
  const commitPart = (batch: readonly Unit[]) => {
    const writes = batch.flatMap((unit) => unit.writes);
    return transactPart(
      request,
      writes,
      batch.map(({ what }) => what),
    );
  };
  const outcomes = await Promise.allSettled(
    batches.map((batch) => request.store.limiter(() => commitPart(batch)).then(onCommit)),
  );
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (reasons.length > 0) throw reasons.find((reason) => !(reason instanceof LostRace)) ?? reasons[0];
}
