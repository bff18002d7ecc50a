import { setTimeout as sleep } from 'node:timers/promises';
import type { Work } from '../work.ts';
import { countUsage, type StoreReply } from './usage.ts';

/**
 * The sender of requests to the store: the account of what it has asked so far, and the signal that ends its patience.
 */
export type StoreCaller = Pick<Work, 'usage' | 'signal' | 'replyWaits'>;

/** Options of a command: the SDK's, and one of the commands' own. */
export interface SendOptions {
  readonly abortSignal?: AbortSignal;
  /** True where the answer may come before what it tells of is on disk. */
  readonly isEarly?: boolean;
}

/**
 * Makes a request to the store, and counts it for all who wait for its answer. It is not made, and not repeated, once
 * none of them waits any longer.
 * @throws the reason of the signal that was the last to abort.
 */
export async function ask<A extends StoreReply>(
  askers: readonly StoreCaller[],
  units: 'readUnits' | 'writeUnits',
  send: (options: SendOptions) => Promise<A>,
): Promise<A> {
  using patience = commonPatience(askers);
  const { signal } = patience;
  const isEarly = askers.every(({ replyWaits }) => replyWaits);
  if (signal === undefined) return countUsage(usagesOf(askers), units, send({ isEarly }));
  signal.throwIfAborted();
  try {
    return await countUsage(usagesOf(askers), units, send({ abortSignal: signal, isEarly }));
  } catch (error) {
    // The SDK has an error of its own for a request that was cut.
    signal.throwIfAborted();
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

function usagesOf(askers: readonly StoreCaller[]) {
  return askers.map(({ usage }) => usage);
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
