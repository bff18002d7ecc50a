import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { cachePerObject } from '../../values/cache.ts';
import type { Work } from '../work.ts';

interface CoalesceOptions<Input> {
  /** Returns the kind of a call. Calls of the same kind can share a request; by default, all can. */
  readonly kindOf?: (input: Input) => string;
  /** The most calls that can share a request. */
  readonly most?: number;
}

interface PendingCall<Input, Output> extends Omit<PromiseWithResolvers<Output>, 'promise'> {
  readonly input: Input;
}

/** The calls that wait for the next request of one kind, and the latest request under way, unless it was a full one. */
interface Line<Input, Output> {
  readonly waiting: PendingCall<Input, Output>[];
  underWay?: Promise<void>;
}

/** The most milliseconds that a request waits for the one before it, so that a lost response does not delay others. */
const patienceMs = 50;

/**
 * Returns a function whose calls of the same moment share one request. The moment ends when the process has handled its pending
 * I/O, and the previous request of the kind is answered or has taken 50 ms. So an operation can read each thing where it needs it
 * and still waits once, and the busier a server is, the more requests share one to the store. Nothing is cached: later calls make
 * a new request.
 *
 * Calls of the same moment may read in any order. If one must not be newer than another, such as a count that is the condition of
 * a write, await it before the other call.
 * @param carryOut makes the request for several inputs of one kind, and returns the outputs in their order.
 */
export function coalesce<Input, Output>(
  carryOut: (work: Work, inputs: readonly Input[]) => Promise<readonly Output[]>,
  { kindOf = () => '', most = Number.POSITIVE_INFINITY }: CoalesceOptions<Input> = {},
): (work: Work, input: Input) => Promise<Output> {
  /** The lines by kind, per store. */
  const linesOf = cachePerObject((_: Work['store']) => new Map<string, Line<Input, Output>>());

  async function settle(work: Work, calls: readonly PendingCall<Input, Output>[]): Promise<void> {
    try {
      const inputs = calls.map(({ input }) => input);
      const outputs = await carryOut(work, inputs);
      calls.forEach(({ resolve }, index) => void resolve(outputs[index] as Output));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  /** Sends all waiting calls, once the previous request is answered or takes too long. */
  async function sendWaiting(work: Work, kind: string, line: Line<Input, Output>): Promise<void> {
    await nextTurn();
    if (line.underWay !== undefined) await Promise.race([line.underWay, sleep(patienceMs, undefined, { ref: false })]);
    // The calls may have filled a request, which was sent at once.
    if (line.waiting.length === 0) return;
    const underWay = settle(work, line.waiting.splice(0));
    line.underWay = underWay;
    await underWay;
    if (line.underWay !== underWay) return;
    delete line.underWay;
    if (line.waiting.length === 0) linesOf(work.store).delete(kind);
  }

  return (work, input) => {
    const lines = linesOf(work.store);
    const kind = kindOf(input);
    const line = lines.get(kind) ?? { waiting: [] };
    lines.set(kind, line);
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    line.waiting.push({ input, resolve, reject });
    // A full request is sent at once.
    if (line.waiting.length === most) void settle(work, line.waiting.splice(0));
    else if (line.waiting.length === 1) void sendWaiting(work, kind, line);
    return promise;
  };
}
