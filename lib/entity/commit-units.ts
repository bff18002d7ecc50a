import { invalid } from '../errors.ts';
import type { Request } from '../request.ts';
import { batchUnits, type Unit } from '../store/batch.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transactPart } from '../store/transactions/transact.ts';
import { bytesOf, type Write } from '../store/transactions/write.ts';

/** The number of writes that each transaction may need for counts, checksums and its idempotency record. */
const commonWrites = 3;

/** The number of further writes for an override: its condition, the record of the change, and conditions on rights. */
const overrideWrites = 10;

/** The most bytes that one request may write, which take seconds. It is several times the default limit of a body. */
const requestBytesMax = 20 * 1024 * 1024;

/**
 * Limits the bytes that a request for many features writes, which can be many times the size of its body.
 */
export class WriteBudget {
  readonly #features: number;
  #bytes = 0;
  #spent = 0;

  /** @param features the number of features in the request. */
  constructor(features: number) {
    this.#features = features;
  }

  /**
   * Counts the writes of a feature.
   * @param bytes the number of further bytes that were read for the feature.
   * @throws ApiError 400 that tells how to split the request.
   */
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
 * Splits units into as few transactions as possible, with space for `reserved` further writes in each.
 * @throws ApiError 400 that names every unit that exceeds a transaction.
 */
export function batchForRequest<T extends Unit>(
  { gate }: Pick<Request, 'gate'>,
  units: readonly T[],
  reserved = 0,
): T[][] {
  return batchUnits(units, reserved + commonWrites + (gate.overrideId() === undefined ? 0 : overrideWrites));
}

/**
 * Reads the names of the units that earlier, interrupted runs of the same request have stored. Call it after the features were
 * read: the conditions on their versions detect units that another run stores later.
 */
export async function loadFinishedUnits({ idempotencyRecord }: Request): Promise<ReadonlySet<string>> {
  return (await idempotencyRecord?.loadCompletedParts()) ?? new Set();
}

/**
 * Stores each batch in a transaction of its own, many of them concurrently. It waits for all of them, so that none is under way
 * when the change is decided again.
 * @param onCommit is called for each stored batch, even if others fail.
 * @throws the first error other than LostRace, or else LostRace if a race was lost.
 */
export async function commitBatches(
  request: Request,
  batches: readonly (readonly Unit[])[],
  onCommit: () => void = () => {},
): Promise<void> {
  if (batches.length === 0) return;
  await request.idempotencyRecord?.claim();
  const commitPart = (batch: readonly Unit[]) => {
    const writes = batch.flatMap((unit) => unit.writes);
    return transactPart(
      request,
      writes,
      batch.map(({ subject }) => subject),
    );
  };
  const outcomes = await Promise.allSettled(
    batches.map((batch) => request.store.limiter(() => commitPart(batch)).then(onCommit)),
  );
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (reasons.length > 0) throw reasons.find((reason) => !(reason instanceof LostRace)) ?? reasons[0];
}
