import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  forget,
  identityTrustMs,
  remember,
  rememberStored,
  rememberThroughOutage,
} from '../../../lib/identity/identity-memory.ts';
import { readApiTokensLimit } from '../../../lib/limits.ts';
import { freshTable } from '../../harness/table.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const down = () => Promise.reject(new Error('The store is down.'));
const silent = () => new Promise<never>(() => {});

describe('A value that is remembered through an outage', () => {
  async function makeKnown() {
    const table = await freshTable();
    const ask = (read: () => Promise<string | undefined>) => rememberThroughOutage(table, 'token', read);
    expect(await ask(async () => 'first')).toBe('first');
    return ask;
  }

  test('is read from the store when its trust has expired', async () => {
    const ask = await makeKnown();
    vi.advanceTimersByTime(identityTrustMs - 1);
    expect(await ask(async () => 'second')).toBe('second');
    vi.advanceTimersByTime(identityTrustMs - 1);
    expect(await ask(async () => undefined)).toBeUndefined();
    expect(await ask(async () => undefined)).toBeUndefined();
  });

  test('is not read again for some seconds', async () => {
    const ask = await makeKnown();
    vi.advanceTimersByTime(identityTrustMs - 1_001);
    expect(await ask(async () => 'second')).toBe('first');
  });

  test('stays the last known one while the store is down, for hours', async () => {
    const ask = await makeKnown();
    for (let hour = 0; hour < 3; hour += 1) {
      vi.advanceTimersByTime(3_600_000);
      expect(await ask(down)).toBe('first');
    }
    vi.advanceTimersByTime(1_000);
    expect(await ask(async () => 'second')).toBe('second');
  });

  test('makes one caller a second wait for a store that does not answer, for at most a second', async () => {
    const ask = await makeKnown();
    vi.advanceTimersByTime(identityTrustMs);
    const waiting = ask(silent);
    let asked = 0;
    const count = () => {
      asked += 1;
      return silent();
    };
    for (let caller = 0; caller < 10; caller += 1) expect(await ask(count)).toBe('first');
    expect(asked).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(await waiting).toBe('first');
    void ask(count);
    expect(asked).toBe(1);
  });

  test('is an error in an outage if it was never known, or was removed before', async () => {
    const table = await freshTable();
    await expect(rememberThroughOutage(table, 'token', down)).rejects.toThrow('down');
    const ask = await makeKnown();
    vi.advanceTimersByTime(identityTrustMs);
    expect(await ask(async () => undefined)).toBeUndefined();
    await expect(ask(down)).rejects.toThrow('down');
  });
});

describe('A value that is read while it changes', () => {
  /** Begins a read; `answer` ends it with the value from before the change. */
  async function beginRead() {
    const table = await freshTable();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const asked = remember(table, 'right', () => promise);
    const answer = () => {
      resolve('before');
      return asked;
    };
    return { table, answer };
  }

  test('does not replace the value that was stored meanwhile', async () => {
    const { table, answer } = await beginRead();
    rememberStored(table, 'right', 'after');
    await answer();
    expect(await remember(table, 'right', down)).toBe('after');
  });

  test('is read again if it was removed meanwhile', async () => {
    const { table, answer } = await beginRead();
    forget(table, 'right');
    await answer();
    expect(await remember(table, 'right', async () => 'after')).toBe('after');
  });

  test('does not replace the value of a later read', async () => {
    const { table, answer } = await beginRead();
    vi.advanceTimersByTime(1);
    await remember(table, 'right', async () => 'after');
    await answer();
    expect(await remember(table, 'right', down)).toBe('after');
  });
});

test('All tokens that a service may have are remembered at the same time', async () => {
  const table = await freshTable();
  const ids = Array.from({ length: readApiTokensLimit() }, (_, index) => `token ${index}`);
  for (const id of ids) await rememberThroughOutage(table, id, async () => id);
  const read = vi.fn(async () => 'read again');
  for (const id of ids) await rememberThroughOutage(table, id, read);
  expect(read).not.toHaveBeenCalled();
});
