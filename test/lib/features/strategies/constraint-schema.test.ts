import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { constraintInput } from '../../../../lib/features/strategies/constraint-input-schema.ts';
import { constraint, constraints, segmentConstraints } from '../../../../lib/features/strategies/constraint-schema.ts';

const accepts = (fields: object) => v.is(constraint, { contextName: 'userId', ...fields });

const listOperators = ['IN', 'NOT_IN', 'STR_ENDS_WITH', 'STR_STARTS_WITH', 'STR_CONTAINS'];
const numberOperators = ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'];
const dateOperators = ['DATE_AFTER', 'DATE_BEFORE'];
const versionOperators = ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'];

test('A constraint with a list accepts 1 to 250 values of 1 to 100 characters', () => {
  const values = fc.array(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 100 }), {
    minLength: 1,
    maxLength: 250,
  });
  // Generating them takes longer than checking them, so all operators check the same values.
  fc.assert(
    fc.property(values, (sample) => {
      for (const operator of listOperators) expect(accepts({ operator, values: sample }), operator).toBe(true);
    }),
    { numRuns: 20 },
  );
});

describe.each(listOperators)('A constraint with %s', (operator) => {
  test('accepts the most values, and the longest values', () => {
    expect(accepts({ operator, values: Array(250).fill('x'.repeat(100)) })).toBe(true);
    expect(accepts({ operator, values: ['😀'.repeat(100)] })).toBe(true);
  });

  test.each([
    [[]],
    [['']],
    [['a', '']],
    [['x'.repeat(101)]],
    [Array(251).fill('a')],
    [['a\0']],
    [[5]],
    ['a'],
    [null],
    [undefined],
  ])('refuses the values %.30j', (values) => {
    expect(accepts({ operator, values })).toBe(false);
    expect(accepts({ operator, values, value: 'a' })).toBe(false);
  });
});

describe.each(numberOperators)('A constraint with %s', (operator) => {
  test('accepts every finite number except integers that are too large to be exact', () => {
    const number = fc.oneof(fc.maxSafeInteger(), fc.double({ min: -1e15, max: 1e15, noNaN: true }));
    fc.assert(
      fc.property(number, (value) => {
        expect(accepts({ operator, value: `${value}` })).toBe(true);
      }),
    );
  });

  test('refuses integers that a double cannot represent exactly', () => {
    const tooLarge = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n });
    fc.assert(
      fc.property(tooLarge, fc.boolean(), (value, negative) => {
        expect(accepts({ operator, value: `${negative ? -value : value}` })).toBe(false);
      }),
    );
  });

  test('refuses a text that is no number', () => {
    const noNumber = fc.string().filter((value) => value.trim() === '' || Number.isNaN(Number(value)));
    fc.assert(
      fc.property(noNumber, (value) => {
        expect(accepts({ operator, value })).toBe(false);
      }),
    );
    for (const value of [
      `${'1'.repeat(100_000)}x`,
      '0x10',
      '0b1',
      'Infinity',
      '-Infinity',
      'NaN',
      '1e999',
      '1_000',
      '١',
    ]) {
      expect(accepts({ operator, value })).toBe(false);
    }
  });
});

describe.each(dateOperators)('A constraint with %s', (operator) => {
  const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

  test('accepts every date in ISO 8601, RFC 2822 or milliseconds', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const iso = date.toISOString();
        for (const value of [iso, iso.slice(0, 10), iso.slice(0, 7), date.toUTCString()]) {
          expect([value, accepts({ operator, value })]).toEqual([value, true]);
        }
      }),
    );
    expect(accepts({ operator, value: '1704067200000' })).toBe(true);
  });

  test.each([
    '',
    ' ',
    'tomorrow',
    'version 7',
    '+12345',
    '12345e1',
    '2024-13-01',
    '2024-01-32',
    '2024-01-01T25:00:00Z',
    '9'.repeat(17),
  ])('refuses %j', (value) => {
    expect(accepts({ operator, value })).toBe(false);
  });
});

describe.each(versionOperators)('A constraint with %s', (operator) => {
  const number = fc.nat().map(String);
  const core = fc.tuple(number, number, number).map((parts) => parts.join('.'));
  const identifier = fc.oneof(number, fc.stringMatching(/^[0-9]*[A-Za-z-][0-9A-Za-z-]*$/));
  const pre = fc.array(identifier, { minLength: 1, maxLength: 4 }).map((parts) => `-${parts.join('.')}`);

  test('accepts every version with or without a prerelease', () => {
    fc.assert(
      fc.property(core, pre, (version, suffix) => {
        expect(accepts({ operator, value: version })).toBe(true);
        expect(accepts({ operator, value: version + suffix })).toBe(true);
      }),
    );
  });

  test('refuses a version with a prefix, build metadata, leading zeros, missing parts or spaces', () => {
    fc.assert(
      fc.property(core, (version) => {
        const wrong = [`v${version}`, `=${version}`, `${version}+1`, `0${version}`, `${version}.4`, `${version}-`];
        for (const value of [...wrong, ` ${version}`, `${version} `, `${version}\n`, version.replace('.', '')]) {
          expect([value, accepts({ operator, value })]).toEqual([value, false]);
        }
      }),
    );
  });
});

describe('A constraint', () => {
  test('is stored as sent, with an empty list for omitted values', () => {
    const one = { contextName: 'x', operator: 'NUM_EQ', value: ' 5 ' };
    expect(v.parse(constraint, { ...one, bogus: 1 })).toEqual({ ...one, values: [] });
    const other = {
      contextName: ' ',
      operator: 'IN',
      values: [' a '],
      value: '',
      inverted: true,
      caseInsensitive: true,
    };
    expect(v.parse(constraint, other)).toEqual(other);
  });

  test.each([{ contextName: '' }, { operator: 'in' }, { inverted: 'true' }, { caseInsensitive: null }, { value: 5 }])(
    'refuses %j',
    (fields) => {
      expect(accepts({ operator: 'IN', values: ['a'], ...fields })).toBe(false);
    },
  );

  test('is one of at most thirty in a strategy', () => {
    const list = (length: number) => Array(length).fill({ contextName: 'x', operator: 'IN', values: ['a'] });
    expect([0, 30, 31].map((length) => v.is(constraints, list(length)))).toEqual([true, true, false]);
  });

  test.each([
    ['IN', {}, 'values'],
    ['NUM_EQ', {}, 'a value'],
    ['NUM_EQ', { value: 'x' }, 'number'],
    ['DATE_AFTER', { value: 'x' }, 'date'],
    ['SEMVER_LT', { value: 'x' }, '1.2.3'],
    ['REGEX', {}, 'a value'],
    ['IN_CIDR', {}, 'at least one value'],
    ['IN_CIDR', { values: ['10.0.0.1', 'somewhere'] }, '10.0.0.0/8'],
  ])('is refused with a message that names what %s needs', (operator, fields, needed) => {
    const { issues } = v.safeParse(constraint, { contextName: 'x', operator, ...fields });
    expect(issues?.map(({ message }) => message)).toEqual([expect.stringMatching(`^${operator} needs .*${needed}`)]);
  });

  test.each([
    ['NUM_EQ', '1e5', true],
    ['NUM_EQ', '.25', true],
    ['NUM_EQ', '.x', false],
    ['DATE_AFTER', '2026', true],
    ['DATE_AFTER', '12345', true],
    ['DATE_AFTER', '5 Jan 2026 10:00:00 GMT', true],
    ['DATE_AFTER', 'Mon, 5 Jan 2026 10:00:00 GMT', true],
    ['DATE_AFTER', 'x12345', false],
    ['DATE_AFTER', '12345x', false],
    ['DATE_AFTER', 'on 5 Jan 2026', false],
    ['DATE_AFTER', '5 Jan 26', false],
  ])('with %s and the value %j is accepted: %j', (operator, value, isTaken) => {
    expect(accepts({ operator, value })).toBe(isTaken);
  });

  const messagesOf = (value: string) =>
    v.safeParse(constraintInput, { contextName: 'x', operator: 'REGEX', value }).issues?.map(({ message }) => message);

  test.each([
    '^a+$',
    '(?P<year>\\d{4})-(?<month>\\d{2})',
    '\\Q(?=\\E[[:alpha:]]\\p{Greek}',
    `[${'a'.repeat(998)}]`,
    'a{1000}b{1000}',
  ])('accepts the regular expression %.30j in a request', (value) => {
    expect(messagesOf(value)).toBeUndefined();
  });

  test.each([
    ['a(?=b)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
    ['a)', 'unexpected ): `a)`'],
    ['(', 'missing closing ): `(`'],
    ['a{1,1001}', 'invalid repeat count: `{1,1001}`'],
    ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
  ])('refuses the regular expression %j in a request, with the reason of RE2', (value, reason) => {
    expect(messagesOf(value)).toEqual([`REGEX needs a regular expression that RE2 accepts: ${reason}.`]);
  });

  test.each([
    [`[${'a'.repeat(999)}]`, 'at most 1000 characters'],
    ['a?'.repeat(20_000), 'at most 1000 characters'],
    ['(){1000}'.repeat(4), 'take 12003 steps for each character of a value, and at most 10000 are allowed'],
  ])('refuses the regular expression %.30j in a request, which takes too much work to compile', (value, limit) => {
    expect(messagesOf(value)).toEqual([expect.stringContaining(limit)]);
  });

  test('with a wrong type is refused for the type only', () => {
    const { issues } = v.safeParse(constraint, { contextName: 'x', operator: 'NUM_EQ', value: {} });
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual(['value']);
  });
});

describe('The constraints of a segment', () => {
  const one = (count: number) => ({ contextName: 'x', operator: 'IN', values: Array(count).fill('a') });
  const messages = (list: unknown) => v.safeParse(segmentConstraints, list).issues?.map(({ message }) => message);

  test('have at most 1000 values together', () => {
    expect(messages([])).toBeUndefined();
    expect(messages([one(1000)])).toBeUndefined();
    expect(messages([one(500), one(500)])).toBeUndefined();
    expect(messages([one(500), one(501)])).toEqual(['A segment has at most 1000 values.']);
    expect(messages([one(1001)])).toContain('A constraint has at most 1000 values.');
  });

  test('are not counted if a type is wrong', () => {
    expect(messages([{ ...one(1), values: 'a' }])).toHaveLength(1);
    expect(messages('none')).toHaveLength(1);
  });
});
