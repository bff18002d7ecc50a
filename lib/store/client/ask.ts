import { setTimeout as sleep } from 'node:timers/promises';
import type { Work } from '../work.ts';
import type { CountedOperation, InputOf, OutputOf } from './operations.ts';
import { countUsage } from './usage.ts';

/**
 * The sender of requests to the store: the account of what it has asked so far, and the signal that ends its patience.
 */
export type StoreCaller = Pick<Work, 'usage' | 'signal' | 'replyWaits'>;

/** Options of a request, besides those that follow from its callers. */
interface AskOptions {
  /** True where a power cut may undo the change, with all that comes after it. */
  readonly mayBeLost?: boolean | undefined;
}

/**
 * Makes a request to the store, and counts it for all who wait for its answer. It is not made, and not repeated, once
 * none of them waits any longer.
 * @throws the reason of the signal that was the last to abort.
 */
export async function ask<O extends CountedOperation>(
  { client }: Work['store'],
  askers: readonly StoreCaller[],
  operation: O,
  input: InputOf<O>,
  { mayBeLost }: AskOptions = {},
): Promise<OutputOf<O>> {
  using patience = commonPatience(askers);
  const { signal } = patience;
  const isEarly = askers.every(({ replyWaits }) => replyWaits);
  signal?.throwIfAborted();
  const usages = askers.map(({ usage }) => usage);
  try {
    return await countUsage(usages, operation, (onRetry) =>
      client.send(operation, { ...input, ReturnConsumedCapacity: 'TOTAL' }, { signal, mayBeLost, isEarly, onRetry }),
    );
  } catch (error) {
    // A request that was cut off has an error of its own.
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Waits before something is tried again.
 * @throws the reason of the signal, as soon as it aborts.
 */
export async function pause(milliseconds: number, { signal }: Pick<StoreCaller, 'signal'>): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** A signal that aborts with the last of the callers; none where a caller has no signal. */
function commonPatience(askers: readonly StoreCaller[]): Disposable & { readonly signal: AbortSignal | undefined } {
  const signals = new Set(askers.map(({ signal }) => signal));
  const [first] = signals;
  if (signals.size === 1 || signals.has(undefined)) {
    return { signal: signals.size === 1 ? first : undefined, [Symbol.dispose]() {} };
  }
  const controller = new AbortController();
  const leave = ({ target }: { readonly target: EventTarget | null }) => {
    signals.delete(target as AbortSignal);
    if (signals.size === 0) controller.abort((target as AbortSignal).reason);
  };
  for (const signal of signals) {
    if (signal?.aborted) leave({ target: signal });
    else signal?.addEventListener('abort', leave, { once: true });
  }
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of signals) signal?.removeEventListener('abort', leave);
    },
  };
}
