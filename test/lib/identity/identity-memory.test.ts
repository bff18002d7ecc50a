import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  forget,
  identityTrustMs,
  know,
  remember,
  rememberThroughOutage,
} from '../../../lib/identity/identity-memory.ts';
import { freshTable } from '../../harness/table.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const down = () => Promise.reject(new Error('The store is down.'));
const silent = () => new Promise<never>(() => {});

describe('What is remembered through an outage', () => {
  async function known() {
    const table = await freshTable();
    const ask = (read: () => Promise<string | undefined>) => rememberThroughOutage(table, 'token', read);
    expect(await ask(async () => 'first')).toBe('first');
    return ask;
  }

  test('is what the store says, at the latest when the trust is over', async () => {
    const ask = await known();
    vi.advanceTimersByTime(identityTrustMs - 1);
    expect(await ask(async () => 'second')).toBe('second');
    vi.advanceTimersByTime(identityTrustMs - 1);
    expect(await ask(async () => undefined)).toBeUndefined();
    expect(await ask(async () => undefined)).toBeUndefined();
  });

  test('is not asked for again for some seconds', async () => {
    const ask = await known();
    vi.advanceTimersByTime(identityTrustMs - 1_001);
    expect(await ask(async () => 'second')).toBe('first');
  });

  test('is what was known last while the store is down, for hours', async () => {
    const ask = await known();
    for (let hour = 0; hour < 3; hour += 1) {
      vi.advanceTimersByTime(3_600_000);
      expect(await ask(down)).toBe('first');
    }
    vi.advanceTimersByTime(1_000);
    expect(await ask(async () => 'second')).toBe('second');
  });

  test('keeps one caller a second waiting for a silent store, and that one for a second', async () => {
    const ask = await known();
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

  test('is refused by the outage where it was never known, or where the store has said that it is gone', async () => {
    const table = await freshTable();
    await expect(rememberThroughOutage(table, 'token', down)).rejects.toThrow('down');
    const ask = await known();
    vi.advanceTimersByTime(identityTrustMs);
    expect(await ask(async () => undefined)).toBeUndefined();
    await expect(ask(down)).rejects.toThrow('down');
  });
});

describe('What is read while it changes', () => {
  /** A read that has begun; `answer` ends it with what was there before. */
  async function reading() {
    const table = await freshTable();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const asked = remember(table, 'right', () => promise);
    const answer = () => {
      resolve('before');
      return asked;
    };
    return { table, answer };
  }

  test('is not remembered in place of what was stored meanwhile', async () => {
    const { table, answer } = await reading();
    know(table, 'right', 'after');
    await answer();
    expect(await remember(table, 'right', down)).toBe('after');
  });

  test('is read again where it was removed meanwhile', async () => {
    const { table, answer } = await reading();
    forget(table, 'right');
    await answer();
    expect(await remember(table, 'right', async () => 'after')).toBe('after');
  });

  test('is not remembered in place of what was read later', async () => {
    const { table, answer } = await reading();
    vi.advanceTimersByTime(1);
    await remember(table, 'right', async () => 'after');
    await answer();
    expect(await remember(table, 'right', down)).toBe('after');
  });
});
