import { RE2JS } from 're2js';
import { describe, expect, test, vi } from 'vitest';
import { buildCondition, type EvaluableConstraint } from '../../../../lib/delivery/evaluation/constraint.ts';
import { buildContext } from '../../../../lib/delivery/evaluation/context.ts';

const contextOf = (field?: string) => buildContext({ texts: {}, properties: field === undefined ? {} : { field } });
const buildConstraintSchema = (operator: string, operands: Partial<EvaluableConstraint>): EvaluableConstraint => ({
  ...{ contextName: 'field', operator },
  ...operands,
});

/** Those of some texts, where `undefined` is none, for which a constraint holds. */
function held(constraint: EvaluableConstraint, texts: readonly (string | undefined)[]) {
  const holds = buildCondition(constraint);
  return texts.filter((text) => holds(contextOf(text)));
}

describe('A constraint holds', () => {
  test.each([
    ['IN', { values: [' ann ', '', 'bob'] }, ['ann', 'Ann', 'bob', '', ' ann '], ['ann', 'bob']],
    ['NOT_IN', { values: ['ann'] }, ['ann', 'Ann', ''], ['Ann', '']],
    ['STR_STARTS_WITH', { values: [' an', 'bo '] }, ['anna', 'hanna', 'bob', 'ANNA'], ['anna', 'bob']],
    ['STR_ENDS_WITH', { values: ['a', 'x'] }, ['anna', 'bob', 'an', 'ANNA'], ['anna']],
    ['STR_CONTAINS', { values: ['nn', ''] }, ['anna', 'bob', 'ANNA'], ['anna']],
    ['STR_CONTAINS', { values: ['Nn'], caseInsensitive: true }, ['anna', 'bob', 'ANNA'], ['anna', 'ANNA']],
    // Both sides in lowercase, as SDKs compare; in capitals, "ß" would be "SS" as well.
    ['STR_ENDS_WITH', { values: ['ß'], caseInsensitive: true }, ['Maß', 'MAẞ', 'MASS'], ['Maß', 'MAẞ']],
    ['STR_ENDS_WITH', { values: ['SS'], caseInsensitive: true }, ['mass', 'Maß'], ['mass']],
    ['NUM_EQ', { value: '7' }, ['7', '7.0', '8', 'x'], ['7', '7.0']],
    ['NUM_GT', { value: '7' }, ['6', '7', '8', '10', 'x'], ['8', '10']],
    ['NUM_GTE', { value: '7' }, ['6', '7', '8', '10', 'x'], ['7', '8', '10']],
    ['NUM_LT', { value: '7' }, ['6', '7', '8', '10', 'x'], ['6']],
    ['NUM_LTE', { value: '7' }, ['6', '7', '8', '10', 'x'], ['6', '7']],
    [
      'SEMVER_EQ',
      { value: '1.2.3' },
      ['1.2.2', '1.2.3', '1.2.3+build', '1.10.0', 'v1.2.3', 'x'],
      ['1.2.3', '1.2.3+build'],
    ],
    ['SEMVER_GT', { value: '1.2.3' }, ['1.2.3-beta', '1.2.3', '1.10.0', 'v2.0.0'], ['1.10.0']],
    ['SEMVER_GTE', { value: '1.2.3' }, ['1.2.3-beta', '1.2.3', '1.10.0', 'v2.0.0'], ['1.2.3', '1.10.0']],
    ['SEMVER_LT', { value: '1.2.3' }, ['1.2.3-beta', '1.2.3', '1.10.0', 'v1.0.0'], ['1.2.3-beta']],
    ['SEMVER_LTE', { value: '1.2.3' }, ['1.2.3-beta', '1.2.3', '1.10.0', 'v1.0.0'], ['1.2.3-beta', '1.2.3']],
    ['REGEX', { value: '^a+$' }, ['a', 'aa', 'AA', 'ab'], ['a', 'aa']],
    ['REGEX', { value: '^a+$', caseInsensitive: true }, ['a', 'AA', 'ab'], ['a', 'AA']],
    [
      'IN_CIDR',
      { values: [' 10.0.0.0/8', '2001:db8::1'] },
      ['10.1.2.3', '11.0.0.1', '2001:db8::1', 'x'],
      ['10.1.2.3', '2001:db8::1'],
    ],
  ])('%s, %o', (operator, operands, texts, expected) => {
    const constraint = buildConstraintSchema(operator, operands);
    expect(held(constraint, texts)).toEqual(expected);
    expect(held({ ...constraint, inverted: true }, texts)).toEqual(texts.filter((text) => !expected.includes(text)));
    const needsText = operator !== 'NOT_IN';
    expect(held(constraint, [undefined])).toEqual(needsText ? [] : [undefined]);
    expect(held({ ...constraint, inverted: true }, [undefined])).toEqual(needsText ? [undefined] : []);
  });

  test.each([
    ['DATE_AFTER', '2026-05-01', '2026-07-01'],
    ['DATE_BEFORE', '2026-07-01', '2026-05-01'],
  ])(
    '%s, by the time of the context or else by the present one, whatever field it names',
    (operator, holding, failing) => {
      const at = (currentTime?: string) =>
        buildContext({ texts: { ...(currentTime && { currentTime }) }, properties: {} });
      const holds = (value: string, context = at('2026-06-01T00:00:00Z')) =>
        buildCondition(buildConstraintSchema(operator, { value }))(context);
      expect([holds(holding), holds(failing), holds('2026-06-01T00:00:00Z'), holds('x')]).toEqual([
        true,
        false,
        false,
        false,
      ]);
      expect(holds(holding, at('x'))).toBe(false);
      expect(buildCondition(buildConstraintSchema(operator, {}))(at())).toBe(false);
      expect([holds('2000-01-01', at()), holds('2999-01-01', at())]).toEqual(
        operator === 'DATE_AFTER' ? [true, false] : [false, true],
      );
    },
  );

  test.each([
    ['SEMVER_EQ', 'x'],
    ['SEMVER_LT', 'x'],
    ['NUM_EQ', 'x'],
    ['REGEX', '('],
  ])('%s never with a value that it cannot read', (operator, value) => {
    const constraint = buildConstraintSchema(operator, { value });
    expect(held(constraint, ['x', '1.0.0', '(', '1'])).toEqual([]);
    expect(held({ ...constraint, inverted: true }, ['x'])).toEqual(['x']);
  });

  test.each(['IN', 'STR_CONTAINS', 'IN_CIDR'])('%s never holds without values', (operator) => {
    expect(held(buildConstraintSchema(operator, {}), ['', 'x', 'undefined'])).toEqual([]);
  });

  test.each(['NONE', 'constructor'])('never with an unknown operator "%s"', (operator) => {
    expect(held(buildConstraintSchema(operator, { values: ['x'] }), ['x'])).toEqual([]);
    expect(held(buildConstraintSchema(operator, { values: ['x'], inverted: true }), ['x'])).toEqual([]);
  });
});

test('Equal regular expressions are compiled once', () => {
  const constraints = Array.from({ length: 110 }, (_, index) => buildConstraintSchema('REGEX', { value: `#${index}` }));
  const compile = vi.spyOn(RE2JS, 'compile');
  for (let count = 0; count < 2; count += 1) {
    expect(constraints.map((each) => buildCondition(each)(contextOf('#109')))).toContain(true);
    expect(compile).toHaveBeenCalledTimes(110);
  }
});
