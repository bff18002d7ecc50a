import { describe, expect, test } from 'vitest';
import { parseBucket, parseBulkMetrics } from '../../../lib/usage/reported-usage.ts';

const now = new Date('2026-11-22T09:30:00.000Z');
const hour = '2026-11-22T09';
const start = '2026-11-22T08:30:00.000Z';
const inBucket = (toggles: unknown, stop: string | number = now.toISOString()) =>
  parseBucket('shop', { start, stop, toggles }, now).usage;
const used = { featureName: 'checkout', appName: 'shop', hour };

describe('The metrics of an SDK', () => {
  test('count for the hour in which their bucket ended, with the variants', () => {
    expect(inBucket({ checkout: { yes: 3, no: 1, variants: { blue: 2, red: 1 } } })).toEqual([
      { ...used, yes: 3, no: 1, variants: { blue: 2, red: 1 } },
    ]);
  });

  test.each(['2026-11-22T09:05:06.123456789Z', '2026-11-22T10:05:06.123456+01:00', Date.parse('2026-11-22T09:00Z')])(
    'may end at %s',
    (stop) => {
      expect(inBucket({ checkout: { yes: 1 } }, stop)).toEqual([{ ...used, yes: 1, no: 0, variants: {} }]);
    },
  );

  test.each(['1970-01-01T00:00:00Z', '2026-11-21T09:29:59Z', '2026-11-23T09:30:01Z', 0])(
    'are left out when they end at %s',
    (stop) => {
      const bucket = { start: now.toISOString(), stop, toggles: { checkout: { yes: 1 } } };
      expect(parseBucket('shop', bucket, now)).toEqual({ usage: [], dropped: 1 });
    },
  );

  test.each([
    { yes: -1 },
    { yes: 1.5 },
    { yes: '1' },
    { yes: 1, no: Number.NaN },
    { yes: Number.MAX_SAFE_INTEGER + 1 },
    { yes: 0, no: 0 },
    {},
    [],
    null,
    7,
    'many',
  ])('of a feature are ignored if they are %j, and no others', (counts) => {
    expect(inBucket({ bad: counts, checkout: { yes: 1 } })).toEqual([{ ...used, yes: 1, no: 0, variants: {} }]);
  });

  test('ignore invalid names, and invalid counts of variants', () => {
    const variants = { blue: 1, 'no name': 1, red: -1, ['n'.repeat(101)]: 1, green: 0, white: 'one' };
    const toggles = { '': { yes: 1 }, 'no name': { yes: 1 }, 'a#b': { yes: 1 }, checkout: { yes: 1, variants } };
    expect(inBucket(toggles)).toEqual([{ ...used, yes: 1, no: 0, variants: { blue: 1 } }]);
  });

  test.each([undefined, null])('are empty for a bucket that is %j', (bucket) => {
    expect(parseBucket('shop', bucket, now)).toEqual({ usage: [], dropped: 0 });
  });
});

test('Each invalid part is counted as dropped, and an unused flag is not', () => {
  const toggles = {
    '': { yes: 1 },
    bad: { yes: -1 },
    idle: { yes: 0, no: 0 },
    checkout: { yes: 1, variants: { blue: 1, red: -1, 'no name': 1, green: 0 } },
  };
  const bucket = { start, stop: now.toISOString(), toggles };
  expect(parseBucket('shop', bucket, now).dropped).toBe(4);
  expect(parseBucket('n'.repeat(256), bucket, now)).toEqual({ usage: [], dropped: 4 });
});

describe('The metrics of a proxy', () => {
  const entry = {
    featureName: 'checkout',
    appName: 'shop',
    environment: 'development',
    timestamp: now.toISOString(),
    yes: 2,
  };

  test('are counted by application and hour', () => {
    expect(parseBulkMetrics([entry, { ...entry, appName: 'blog', no: 1 }], 'development', now).usage).toEqual([
      { ...used, yes: 2, no: 0, variants: {} },
      { ...used, appName: 'blog', yes: 2, no: 1, variants: {} },
    ]);
  });

  test('ignore environments other than that of the token, and invalid entries', () => {
    const wrong = [
      { ...entry, environment: 'production' },
      { ...entry, appName: '' },
      { ...entry, timestamp: 0 },
      ...[null, 7, []],
    ];
    expect(parseBulkMetrics(wrong, 'development', now)).toEqual({ usage: [], dropped: wrong.length });
    expect(parseBulkMetrics({ 0: entry }, 'development', now).usage).toEqual([]);
  });
});
