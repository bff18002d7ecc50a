import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Request } from '../../../../lib/request.ts';
import type { Key } from '../../../../lib/store/client/definition.ts';
import { contention, LostRace, retryInQueue, retryLostRaces } from '../../../../lib/store/transactions/retry.ts';

const key = { pk: 'FEATURE#a', sk: 'FEATURE' };
const otherKey = { pk: 'FEATURE#b', sk: 'FEATURE' };

/** A thing that is only written if it is unchanged since it was read. */
class Contended {
  readonly table = { store: {} } as Request;
  version = 0;
  attempts = 0;
  underWay = 0;
  underWayMax = 0;

  change = async () => {
    this.attempts += 1;
    this.underWay += 1;
    this.underWayMax = Math.max(this.underWayMax, this.underWay);
    const seen = this.version;
    await nextTurn();
    this.underWay -= 1;
    if (seen !== this.version) throw new LostRace();
    this.version += 1;
    return this.version;
  };

  changeInTurn = () => retryInQueue(this.table, [key], this.change);
}

function many<T>(amount: number, action: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: amount }, action));
}

describe('Writers of one item in one process', () => {
  beforeEach(() => {
    contention.rememberedMs = 1_000;
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('lose at most one race against each other, and all succeed', async () => {
    const contended = new Contended();
    const versions = await many(24, contended.changeInTurn);
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    expect(contended.attempts).toBe(24 + 23);
  });

  test.each([
    { items: [key], rememberedMs: 1_000 },
    { items: [key], rememberedMs: 0 },
    { items: [key, otherKey], rememberedMs: 1_000 },
  ])('that arrive while others queue for one of their items lose no race: $items, $rememberedMs ms', async (late) => {
    contention.rememberedMs = late.rememberedMs;
    const contended = new Contended();
    const early = many(3, contended.changeInTurn);
    await nextTurn();
    await nextTurn();
    const attempts = contended.attempts;
    const comeLate = () => retryInQueue(contended.table, late.items, contended.change);
    await Promise.all([early, many(10, comeLate)]);
    expect(contended.version).toBe(13);
    expect(contended.attempts - attempts).toBeLessThanOrEqual(12);
  });

  test('queue from their first race on, until no race occurred for a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const contended = new Contended();
    await many(5, contended.changeInTurn);
    contended.underWayMax = 0;
    await many(2, contended.changeInTurn);
    expect(contended.underWayMax).toBe(1);
    vi.advanceTimersByTime(1_000);
    await many(2, contended.changeInTurn);
    expect(contended.underWayMax).toBe(2);
  });

  test('do not wait for writers of another item', async () => {
    const contended = new Contended();
    const waiting = many(3, contended.changeInTurn);
    await nextTurn();
    expect(await retryInQueue(contended.table, [otherKey], async () => 'at once')).toBe('at once');
    expect(contended.version).toBeLessThan(3);
    await waiting;
  });

  test('of several items queue for each of them, without a deadlock', async () => {
    const contended = new Contended();
    const both = (items: readonly Key[]) => () => retryInQueue(contended.table, items, contended.change);
    await Promise.all([
      ...Array.from({ length: 8 }, () => both([key, otherKey])()),
      many(8, both([otherKey, key, key])),
    ]);
    expect(contended.version).toBe(16);
    expect(contended.attempts).toBe(16 + 15);
  });

  test('are not delayed by a writer that fails for another reason', async () => {
    const contended = new Contended();
    const failing = () => retryInQueue(contended.table, [key], () => Promise.reject(new Error('no')));
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 3 }, contended.changeInTurn),
      failing(),
      failing(),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });

  test('get a 503 if they wait too long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const contended = new Contended();
    const [, ...waiting] = Array.from({ length: 3 }, () => contended.changeInTurn().catch((error) => error.name));
    vi.advanceTimersByTime(16_000);
    expect(await Promise.all(waiting)).toEqual(['ServiceUnavailable', 'ServiceUnavailable']);
    expect(contended.version).toBe(1);
  });
});

describe('An attempt that loses races', () => {
  const table = { store: {} } as Request;
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('is repeated until it succeeds, and not after that', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      if (attempts < 4) throw new LostRace();
      return attempts;
    };
    expect(await retryLostRaces(table, attempt)).toBe(4);
    expect(attempts).toBe(4);
  });

  test('pauses up to twice as long each time, or as long as an attempt took', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.spyOn(Math, 'random').mockReturnValue(1);
    /** The times at which attempts end, which take exactly the given time. */
    const ends: number[] = [];
    const attempt = (attempts: number, tookMs: number) => async () => {
      vi.advanceTimersByTime(tookMs);
      if (ends.push(Date.now()) < attempts) throw new LostRace();
    };
    await retryLostRaces(table, attempt(5, 0));
    // A timer may be a millisecond early.
    for (const [index, pauseMs] of [5, 10, 20, 40].entries()) {
      expect(Number(ends[index + 1]) - Number(ends[index])).toBeGreaterThanOrEqual(pauseMs - 1);
    }
    ends.length = 0;
    await retryLostRaces(table, attempt(2, 60));
    expect(Number(ends[1]) - Number(ends[0])).toBeGreaterThanOrEqual(59);
    ends.length = 0;
    // Timers fire in the order of their times, even on a busy machine.
    const first = await Promise.race([retryLostRaces(table, attempt(2, 0)), sleep(150, 'the other timer')]);
    expect(first).toBeUndefined();
  });

  test('is not repeated if it fails for another reason', async () => {
    let attempts = 0;
    const failing = async () => {
      attempts += 1;
      throw new Error('no');
    };
    for (const retried of [retryLostRaces(table, failing), retryInQueue(table, [key], failing)]) {
      await expect(retried).rejects.toThrow('no');
    }
    expect(attempts).toBe(2);
  });

  test('ends with a 503 after losing races for too long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let attempts = 0;
    const losing = async () => {
      attempts += 1;
      if (attempts === 2) vi.advanceTimersByTime(16_000);
      throw new LostRace();
    };
    await expect(retryLostRaces(table, losing)).rejects.toMatchObject({
      name: 'ServiceUnavailable',
      message: 'Too many writers change this at the same time; try again.',
    });
    expect(attempts).toBe(2);
  });
});
