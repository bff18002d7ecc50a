import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  boolean,
  count,
  id,
  idText,
  integer,
  isName,
  lenientBoolean,
  moment,
  name,
  noNegativeZero,
  nonEmptyText,
  object,
  openObject,
  positiveIntegerText,
  record,
  text,
  timestamp,
  titleOfLength,
} from '../../../lib/values/primitives.ts';
import { codePoint } from '../../harness/code-point.ts';

const alphabet = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.!~*'()-"];
const nameText = fc
  .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 100 })
  .map((letters) => letters.join(''))
  .filter((value) => value !== '.' && value !== '..');

describe('A name', () => {
  test('has 1 to 100 characters that need no escapes in a URL', () => {
    fc.assert(
      fc.property(nameText, (value) => {
        expect(v.is(name, value)).toBe(true);
        expect(isName(value)).toBe(true);
        expect(encodeURIComponent(value)).toBe(value);
      }),
    );
    expect(isName('n'.repeat(100))).toBe(true);
  });

  test('has no other character at any place', () => {
    const other = codePoint.filter((char) => !alphabet.includes(char));
    fc.assert(
      fc.property(nameText, other, fc.nat(100), (value, char, at) => {
        expect(isName(value.slice(0, at) + char + value.slice(at, 99))).toBe(false);
      }),
    );
  });

  test.each(['', '.', '..', 'n'.repeat(101), 'a\n', '\na', ' a', 'a/b', 'a#b', 'é', 'ａ'])('is not %j', (value) => {
    expect(isName(value)).toBe(false);
  });

  test.each(['...', '__proto__', 'constructor', '-', '~', "it's(a)*!", '%41'.slice(1)])('may be %j', (value) => {
    expect(isName(value)).toBe(true);
  });

  test.each([5, true, null, undefined, ['a'], { name: 'a' }])('is text, not %j', (value) => {
    expect(v.is(name, value)).toBe(false);
  });
});

describe('Text', () => {
  test('is any text that UTF-8 can encode, without NUL', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (value) => {
        expect(v.is(text, value)).toBe(!value.includes('\0'));
      }),
    );
  });

  test.each(['\ud800', 'a\udfff', '\udc00\ud800', 'x\0y'])('is not %j', (value) => {
    expect(v.is(text, value)).toBe(false);
  });

  test('for people is visible: neither blank nor made of invisible characters', () => {
    const title = titleOfLength(5);
    const messages = (value: string) => v.safeParse(title, value).issues?.map(({ message }) => message);
    for (const value of ['a', ' a ', 'a\u200bb', '\u3164a', '👍🏽', 'हिन्दी'.slice(0, 5)])
      expect(messages(value)).toBeUndefined();
    for (const value of ['', ' ', '\u200b', '\u3164', '\u2800 \u2800', '\u00ad\ufeff', '\u{e0020}'])
      expect(messages(value), JSON.stringify(value)).toEqual([
        'Text of 1 to 5 characters is required, which must not be blank.',
      ]);
  });

  test('can be required not to be empty', () => {
    expect([v.is(text, ''), v.is(nonEmptyText, ''), v.is(nonEmptyText, ' ')]).toEqual([true, false, true]);
  });
});

describe('A number', () => {
  test('is an integer that a double represents exactly; an id is positive, and a count is not negative', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(v.is(integer, value)).toBe(true);
        expect(v.is(id, value)).toBe(value >= 1);
        expect(v.is(count, value)).toBe(value >= 0);
      }),
    );
  });

  test.each([2 ** 53, -(2 ** 53), 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null, true])('is not %j', (value) => {
    expect([integer, id, count].map((schema) => v.is(schema, value))).toEqual([false, false, false]);
  });

  test('turns -0 into 0, as the store does', () => {
    const withoutSign = v.pipe(v.number(), noNegativeZero);
    expect([-0, 0, -1, 5].map((value) => v.parse(withoutSign, value))).toEqual([0, 0, -1, 5]);
    expect(Object.is(v.parse(integer, -0), 0)).toBe(true);
  });

  test('in a query string has neither a sign nor a leading zero', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (value) => {
        expect(v.parse(positiveIntegerText, String(value))).toBe(value);
      }),
    );
    for (const wrong of ['0', '01', '-1', '+1', ' 1', '1 ', '1.0', '1e3', '', 'x', '9007199254740992', '1\n']) {
      expect(v.is(positiveIntegerText, wrong)).toBe(false);
    }
  });

  test('in a path is an id and may have leading zeros', () => {
    for (const [text, number] of [
      ['1', 1],
      ['0001', 1],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ]) {
      expect(v.parse(idText, text)).toBe(number);
    }
    for (const wrong of ['0', '00', '-1', ' 1', '1 ', '1.5', '1e3', '0x1', '', 'abc', '9007199254740992', '１']) {
      expect(v.is(idText, wrong), wrong).toBe(false);
    }
  });
});

describe('A boolean', () => {
  test.each([true, 'true', false, 'false'])('may be sent as text if the schema is lenient: %j', (value) => {
    expect(v.parse(lenientBoolean, value)).toBe(String(value) === 'true');
  });

  test.each(['true', 'false', 1, 0, null, undefined, ''])('is a boolean, not %j', (value) => {
    expect(v.is(boolean, value)).toBe(false);
  });
});

describe('An object', () => {
  test('drops unknown properties, and is no list', () => {
    const schema = object({ a: v.exactOptional(text) });
    expect(v.parse(schema, { a: 'x', b: 1 })).toEqual({ a: 'x' });
    for (const wrong of [[], ['a'], null, 'a', 5]) expect(v.is(schema, wrong)).toBe(false);
  });

  test('reports the path of a list instead of an object', () => {
    const { issues } = v.safeParse(object({ outer: object({}) }), { outer: [] });
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['outer']);
    expect(issues?.map(({ message }) => message)).toEqual(['Invalid type: Expected Object but received Array']);
  });
});

describe('A map', () => {
  const unsafe = ['__proto__', 'constructor', 'prototype'];

  test('keeps all of its keys', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('toString', 'valueOf', 'hasOwnProperty'));
    const map = fc.dictionary(
      key.filter((each) => !unsafe.includes(each)),
      fc.string(),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(map, (value) => {
        expect(v.parse(record(v.string()), value)).toEqual(value);
      }),
    );
  });

  test.each(unsafe)('is refused for the key %s, which valibot would drop', (key) => {
    expect(
      v.is(
        record(text),
        Object.fromEntries([
          ['a', 'x'],
          [key, 'x'],
        ]),
      ),
    ).toBe(false);
  });

  test('has only values of its type, and is no list', () => {
    for (const wrong of [{ a: 1 }, { a: null }, { a: 'x', b: {} }, [], ['x'], null, 'x']) {
      expect(v.is(record(text), wrong)).toBe(false);
    }
  });

  test('is refused with the type that was sent', () => {
    const received = (value: unknown) => v.safeParse(record(text), value).issues?.[0].received;
    expect(received([])).toBe('Array');
    expect(received({ constructor: 'x' })).toBe('one with the key "constructor"');
  });
});

describe('An open object', () => {
  const schema = openObject({ a: v.exactOptional(text) });

  test('keeps unknown properties', () => {
    for (const value of [{}, { a: 'x' }, { a: 'x', b: [{ c: null }], '': 1 }]) {
      expect(v.parse(schema, value)).toEqual(value);
    }
  });

  test('is refused for a key that is no text, for a key that valibot would drop, and if it is no object', () => {
    const received = (value: unknown) => v.safeParse(schema, value).issues?.map((issue) => issue.received);
    expect(received({ b: 1, 'c\0': 1 })).toEqual(['one with a key that is no text']);
    expect(received(JSON.parse('{"__proto__": 1}'))).toEqual(['one with the key "__proto__"']);
    expect(received([])).toEqual(['Array']);
    expect(received(null)).toEqual(['null']);
    expect(received({ a: 5 })).toEqual(['5']);
  });
});

describe('A moment', () => {
  test('has any offset, and is converted to UTC', () => {
    expect(v.parse(moment, '2026-12-31T23:59:59+02:00')).toBe('2026-12-31T21:59:59.000Z');
    expect(v.parse(moment, '2026-12-31T23:59:59Z')).toBe('2026-12-31T23:59:59.000Z');
  });

  test.each([
    ...['', '2026', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z', '2026-12-31T23:59:59+02', 'tomorrow'],
    // In UTC, their years have more than four digits.
    ...['9999-12-31T23:59:59-10:00', '0000-01-01T00:00:00+10:00'],
  ])('is not %j', (value) => {
    expect(v.safeParse(moment, value).issues).toHaveLength(1);
  });
});

test('A timestamp has the format of Date', () => {
  const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(dates, (date) => {
      expect(v.is(timestamp, date.toISOString())).toBe(true);
    }),
  );
});
