import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 10;

/** The values that an SDK has had, in order. It ends with the block that uses it. */
interface WatchedValue extends AsyncDisposable {
  /** Reads the value for the last time. Returns all values, each once for as long as it stayed. */
  end(): Promise<readonly unknown[]>;
}

/** Reads a value again and again. */
export function watchValue(read: () => unknown): WatchedValue {
  const values: unknown[] = [];
  let isWatching = true;
  async function note(): Promise<void> {
    const value = await read();
    if (values.length === 0 || value !== values.at(-1)) values.push(value);
  }
  async function watch(): Promise<void> {
    for (; isWatching; await sleep(pauseMs)) await note();
  }
  const watching = watch();
  async function stop(): Promise<void> {
    isWatching = false;
    await watching;
  }
  return {
    async end() {
      await stop();
      await note();
      return values;
    },
    [Symbol.asyncDispose]: stop,
  };
}
