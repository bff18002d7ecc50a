import { setTimeout as sleep } from 'node:timers/promises';
import type { Work } from '../work.ts';
import type { CountedOperation, InputOf, OutputOf } from './operations.ts';
import { countUsage } from './usage.ts';

/** A caller that waits for a request to the store: its usage so far, and the signal that cancels its requests. */
export type StoreCaller = Pick<Work, 'usage' | 'signal' | 'replyAwaitsDurability'>;

interface CallOptions {
  /** True if a power cut may undo the change, together with all later changes. */
  readonly mayBeLost?: boolean | undefined;
}

/**
 * Makes a request to the store for several callers, and counts it for each. It is cancelled once all of them have aborted.
 * @throws the reason of the signal that aborted last.
 */
export async function callStore<O extends CountedOperation>(
  { client }: Work['store'],
  callers: readonly StoreCaller[],
  operation: O,
  input: InputOf<O>,
  { mayBeLost }: CallOptions = {},
): Promise<OutputOf<O>> {
  using combined = combineSignals(callers);
  const { signal } = combined;
  const isEarly = callers.every(({ replyAwaitsDurability }) => replyAwaitsDurability);
  signal?.throwIfAborted();
  const usages = callers.map(({ usage }) => usage);
  try {
    return await countUsage(usages, operation, (onRetry) =>
      client.send(operation, { ...input, ReturnConsumedCapacity: 'TOTAL' }, { signal, mayBeLost, isEarly, onRetry }),
    );
  } catch (error) {
    // A cancelled request fails with an error of its own; the reason of the signal is more useful.
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Waits before another attempt.
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

/** Returns a signal that aborts when all callers have aborted; undefined if a caller has no signal. */
function combineSignals(callers: readonly StoreCaller[]): Disposable & { readonly signal: AbortSignal | undefined } {
  const signals = new Set(callers.map(({ signal }) => signal));
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
