import { describe, expect, test } from 'vitest';
import { keyOfWrite, mergeWrites } from '../../../../lib/store/transactions/merge-writes.ts';
import type { Write } from '../../../../lib/store/transactions/write.ts';

const [a, b] = [
  { pk: 'P', sk: 'a' },
  { pk: 'P', sk: 'b' },
];
const put: Write = { put: a, item: { name: 'x', count: 2 }, when: 'absent', subject: 'thing' };
const add = (key: typeof a, amounts: Record<string, number>): Write => ({ add: key, amounts });
const addToAny = (amounts: Record<string, number>, provisos = {}): Write => ({
  addToAny: [a, b],
  amounts,
  ...provisos,
});
const check: Write = { check: a, when: 'present' };
const checkVersion: Write = { check: a, when: { version: 2 } };
const remove: Write = { remove: a, when: { version: 3 } };

describe('The writes of a transaction', () => {
  test('have the key of their item, or of the first of several', () => {
    const writes = [put, add(b, { n: 1 }), addToAny({ n: 1 }), { ...check, check: b }, remove];
    expect(writes.map(keyOfWrite)).toEqual([a, b, a, b, a]);
  });

  test('stay unchanged and in their order if each concerns another item', () => {
    const writes = [add(b, { n: 0 }), put];
    expect(mergeWrites(writes)).toEqual(writes);
    const alike = [put, { ...put, put: { pk: 'Pa', sk: '' } }, { ...put, put: { pk: '', sk: 'Pa' } }];
    expect(mergeWrites(alike)).toEqual(alike);
    expect(mergeWrites([])).toEqual([]);
  });

  test('sum the additions to an item', () => {
    expect(mergeWrites([add(a, { n: 1, m: 2 }), add(b, { n: 5 }), add(a, { n: 3, k: -1 })])).toEqual([
      add(a, { n: 4, m: 2, k: -1 }),
      add(b, { n: 5 }),
    ]);
  });

  test('put an item together with the additions to it, before or after', () => {
    const raised = [{ ...put, item: { name: 'x', count: 5, more: 1 } }];
    const addition = add(a, { count: 3, more: 1 });
    expect(mergeWrites([put, addition])).toEqual(raised);
    expect(mergeWrites([addition, put])).toEqual(raised);
  });

  test('sum the additions to any of the same items, with all their conditions, and omit sums of zero', () => {
    const writes = [
      addToAny({ n: 1, m: 1 }, { unless: ['closed'], provided: ['open'] }),
      addToAny({ n: 2, m: -1 }, { unless: ['closed', 'gone'] }),
    ];
    expect(mergeWrites(writes)).toEqual([addToAny({ n: 3 }, { unless: ['closed', 'gone'], provided: ['open'] })]);
    const [plain] = mergeWrites([addToAny({ n: 1 }), addToAny({ n: 1 })]);
    expect(plain).toStrictEqual(addToAny({ n: 2 }));
    expect(mergeWrites([addToAny({ n: 1 }), addToAny({ n: -1 })])).toEqual([]);
    expect(mergeWrites([addToAny({ n: 0 })])).toEqual([]);
  });

  test('set the values of the last addition to any of the same items', () => {
    const writes = [
      addToAny({ n: 1 }, { set: { at: '1', by: 'a' } }),
      addToAny({ n: 1 }),
      addToAny({ n: 1 }, { set: { at: '2' } }),
    ];
    expect(mergeWrites(writes)).toStrictEqual([addToAny({ n: 3 }, { set: { at: '2', by: 'a' } })]);
  });

  test.each<[string, Write[], Write[]]>([
    ['a check of what it puts', [check, put], [put]],
    ['a check after the put', [put, check], [put]],
    ['a check of what it removes', [check, remove], [remove]],
    ['a check after the removal', [remove, check], [remove]],
    ['a second check', [check, check], [check]],
    ['a check that another one includes', [checkVersion, check], [checkVersion]],
    ['a check that the next one includes', [check, checkVersion], [checkVersion]],
    ['a second removal', [remove, { remove: a }], [remove]],
  ])('omit %s', (_what, writes, merged) => {
    expect(mergeWrites(writes)).toEqual(merged);
  });

  test('keep the condition of a check if the write of the item has none', () => {
    const write = add(a, { n: 1 });
    expect(mergeWrites([checkVersion, write])).toEqual([{ ...write, when: { version: 2 } }]);
    expect(mergeWrites([write, checkVersion])).toStrictEqual([{ ...write, when: { version: 2 } }]);
    // The error for its failure is kept as well.
    const refusing = { ...checkVersion, otherwise: () => new Error('no') };
    expect(mergeWrites([refusing, write])).toEqual([{ ...write, when: refusing.when, otherwise: refusing.otherwise }]);
  });

  test.each([check, checkVersion, add(a, { n: 1 }), put, remove])(
    'must not name an item of an `addToAny` write: %o',
    (write) => {
      expect(() => mergeWrites([addToAny({ n: 1 }), write])).toThrow('in an addToAny write and in another write');
      expect(() => mergeWrites([write, addToAny({ n: 1 })])).toThrow('in an addToAny write and in another write');
    },
  );

  test('keep the only condition of two merged writes, whether of the first or the second', () => {
    const when = { when: 'present' as const };
    const bare: Write = { put: a, item: { n: 1 } };
    for (const [one, other, joined] of [
      [add(a, { n: 1 }), add(a, { n: 2 }), add(a, { n: 3 })],
      [bare, add(a, { n: 2 }), { put: a, item: { n: 3 } }],
      [{ remove: a }, { remove: a }, { remove: a }],
    ] as const) {
      expect(mergeWrites([{ ...one, ...when }, other])).toStrictEqual([{ ...joined, ...when }]);
      expect(mergeWrites([one, { ...other, ...when }])).toStrictEqual([{ ...joined, ...when }]);
      expect(mergeWrites([other, { ...one, ...when }])).toStrictEqual([{ ...joined, ...when }]);
    }
  });

  test.each<[string, Write[]]>([
    ['puts of one item', [put, put, put]],
    ['a put and a removal of one item', [put, remove]],
  ])('keep two %s, a mistake that the store refuses', (_what, writes) => {
    expect(mergeWrites(writes)).toEqual(writes);
  });
});
