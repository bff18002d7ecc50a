import { describe, expect, test } from 'vitest';
import { newContextField } from '../../../lib/context-fields/context-fields.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { StrategyInput } from '../../../lib/schemas/strategy.ts';
import {
  assertReferences,
  illegalValues,
  legalValuesBy,
  noReferences,
  type StrategyReferences,
} from '../../../lib/strategies/strategy-references.ts';

const field = (name: string, ...values: string[]) =>
  newContextField({ name, legalValues: values.map((value) => ({ value })) }, '2026-01-01T00:00:00.000Z');
const legalValues = legalValuesBy(
  new Map([
    ['country', field('country', 'CH', 'NZ')],
    ['free', field('free')],
  ]),
);
const segment = (id: number, project: string | null) => ({
  id,
  name: `segment-${id}`,
  description: '',
  project,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  constraints: [],
});
const references = {
  typeExists: true,
  segments: new Map([
    [1, segment(1, null)],
    [2, segment(2, 'shop')],
  ]),
  legalValues,
};

/** What is wrong with a strategy in the project `default`. */
function problemOf(
  input: Omit<StrategyInput, 'name'>,
  given: StrategyReferences = references,
  parent?: string,
): ApiError | undefined {
  try {
    assertReferences({ name: 'default', ...input }, given, 'default', parent);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

const inCountry = (...values: string[]) => ({ contextName: 'country', operator: 'IN' as const, values });

describe('What a strategy refers to', () => {
  test('is fine where everything exists and is legal', () => {
    const free = { contextName: 'free', operator: 'IN' as const, values: ['anything'] };
    const unknown = { contextName: 'unknown', operator: 'IN' as const, values: ['anything'] };
    expect(problemOf({ segments: [1], constraints: [inCountry('CH', 'NZ'), free, unknown] })).toBeUndefined();
    expect(problemOf({})).toBeUndefined();
  });

  test('is a 404 where unknown segments are all that is wrong, with the place of each', () => {
    expect(problemOf({ segments: [1, 9, 8] })).toMatchObject({
      name: 'NotFoundError',
      details: [
        { message: 'There is no segment "9".', path: 'segments.1' },
        { message: 'There is no segment "8".', path: 'segments.2' },
      ],
    });
    expect(problemOf({ segments: [1] }, { ...noReferences, typeExists: true })).toMatchObject({
      name: 'NotFoundError',
    });
  });

  test('is a 400 where unknown segments are one of several problems', () => {
    const problem = problemOf(
      { segments: [1, 9], constraints: [inCountry('DE')] },
      { ...references, typeExists: false },
    );
    expect(problem?.name).toBe('ValidationError');
    expect(problem?.details.map(({ path }) => path)).toEqual(['segments.1', 'name', 'constraints.0']);
  });

  test('is a 400 that lists everything else, with the place of each', () => {
    const problem = problemOf(
      { segments: [2, 1, 2], constraints: [inCountry('CH'), inCountry('DE', 'FR')] },
      { ...references, typeExists: false },
    );
    expect(problem?.name).toBe('ValidationError');
    expect(problem?.details.map(({ path }) => path)).toEqual(['name', 'segments', 'constraints.1', 'constraints.1']);
    expect(problem?.details.map(({ message }) => message).join()).toMatch(/"default".*2.*"DE".*"country".*"FR"/s);
  });

  test('is placed below what holds the strategy', () => {
    const problem = problemOf(
      { constraints: [inCountry('DE')] },
      { ...references, typeExists: false },
      'defaultStrategy',
    );
    expect(problem?.details.map(({ path }) => path)).toEqual(['defaultStrategy.name', 'defaultStrategy.constraints.0']);
  });
});

describe('Legal values', () => {
  test('hold for the value and for each of the values, in their letter case', () => {
    const constraint = { contextName: 'country', operator: 'NUM_EQ' as const, values: ['CH', 'ch'], value: 'x' };
    const details = illegalValues([constraint], legalValues, 'here');
    expect(details.map(({ message }) => message.split('"')[1])).toEqual(['ch', 'x']);
    expect(details.map(({ path }) => path)).toEqual(['here.0', 'here.0']);
  });
});
