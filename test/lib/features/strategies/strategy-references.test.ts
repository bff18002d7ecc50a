import { describe, expect, test } from 'vitest';
import { contextFields, newContextField } from '../../../../lib/context-fields/context-fields.ts';
import {
  assertLegalValues,
  collectLegalValues,
  findIllegalValues,
} from '../../../../lib/context-fields/legal-values.ts';
import { ApiError } from '../../../../lib/errors.ts';
import { systemUser } from '../../../../lib/events/actor.ts';
import type { StrategyInput } from '../../../../lib/features/strategies/strategy-input-schema.ts';
import {
  assertReferences,
  buildStrategyReferences,
  loadStrategyReferences,
  noReferences,
  type StrategyReferences,
} from '../../../../lib/features/strategies/strategy-references.ts';
import { segments } from '../../../../lib/segments/segments.ts';
import { strategyTypes } from '../../../../lib/strategy-types/strategy-types.ts';
import { freshTable } from '../../../harness/table.ts';

const field = (name: string, ...values: string[]) =>
  newContextField({ name, legalValues: values.map((value) => ({ value })) }, '2026-01-01T00:00:00.000Z');
const legalValues = collectLegalValues(
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
  createdBy: 'alice',
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

/** Returns the problem of a strategy in the project `default`. */
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

describe('The references of a strategy', () => {
  test('are accepted if everything exists and is legal', () => {
    const free = { contextName: 'free', operator: 'IN' as const, values: ['anything'] };
    const unknown = { contextName: 'unknown', operator: 'IN' as const, values: ['anything'] };
    expect(problemOf({ segments: [1], constraints: [inCountry('CH', 'NZ'), free, unknown] })).toBeUndefined();
    expect(problemOf({})).toBeUndefined();
    expect(() => assertReferences({}, noReferences, 'default')).not.toThrow();
  });

  test('cause a 404 with each path if unknown segments are the only problems', () => {
    expect(problemOf({ segments: [1, 9, 8] })).toMatchObject({
      name: 'NotFoundError',
      message: expect.stringContaining('There is no segment "9".'),
      details: [
        { message: 'There is no segment "9".', path: 'segments.1' },
        { message: 'There is no segment "8".', path: 'segments.2' },
      ],
    });
    expect(problemOf({ segments: [1] }, { ...noReferences, typeExists: true })).toMatchObject({
      name: 'NotFoundError',
    });
  });

  test('cause a 400 if unknown segments are one of several problems', () => {
    const problem = problemOf(
      { segments: [1, 9], constraints: [inCountry('DE')] },
      { ...references, typeExists: false },
    );
    expect(problem?.name).toBe('ValidationError');
    expect(problem?.details.map(({ path }) => path)).toEqual(['segments.1', 'name', 'constraints.0']);
  });

  test('cause a 400 that lists all other problems with their paths', () => {
    const problem = problemOf(
      { segments: [2, 1, 2], constraints: [inCountry('CH'), inCountry('DE', 'FR')] },
      { ...references, typeExists: false },
    );
    expect(problem?.name).toBe('ValidationError');
    expect(problem?.details.map(({ path }) => path)).toEqual(['name', 'segments', 'constraints.1', 'constraints.1']);
    expect(problem?.details.map(({ message }) => message).join()).toMatch(/"default".*2.*"DE".*"country".*"FR"/s);
  });

  test('have paths below that of the strategy', () => {
    const problem = problemOf(
      { constraints: [inCountry('DE')] },
      { ...references, typeExists: false },
      'defaultStrategy',
    );
    expect(problem?.details.map(({ path }) => path)).toEqual(['defaultStrategy.name', 'defaultStrategy.constraints.0']);
  });
});

test('Legal values apply to the operands that the operator reads, with regard to case', () => {
  const both = { contextName: 'country', values: ['CH', 'ch'], value: '' };
  const constraints = [
    { ...both, operator: 'IN' as const },
    { ...both, operator: 'REGEX' as const },
  ];
  const details = findIllegalValues(constraints, legalValues, 'here');
  expect(details.map(({ message }) => message.split('"')[1])).toEqual(['ch', '']);
  expect(details.map(({ path }) => path)).toEqual(['here.0', 'here.1']);
});

test('A message quotes at most 100 characters of a name or a value', () => {
  const long = 'x'.repeat(101);
  const problem = problemOf(
    { constraints: [inCountry(long)], ...{ name: long } },
    { ...references, typeExists: false },
  );
  expect(problem?.details.map(({ message }) => message.includes('x'.repeat(100)))).toEqual([true, true]);
  expect(problem?.details.map(({ message }) => message.includes(long))).toEqual([false, false]);
});

test('Strategies refer to each segment and each custom type once, with the strategies that use it', () => {
  const strategies = [
    { id: 'a', name: 'default', segments: [1, 2] },
    { id: 'b', name: 'own', segments: [1] },
    { id: 'c', name: 'own', segments: [] },
  ];
  const referrer = (by: string) => ({ by, name: `those of ${by}` });
  const found = buildStrategyReferences(strategies, 'shop', (users) => referrer(users.map(({ id }) => id).join()));
  expect(found).toEqual([
    { kind: 'segment', id: 1, target: segments.keyOf(1), project: 'shop', referrer: referrer('a,b') },
    { kind: 'segment', id: 2, target: segments.keyOf(2), project: 'shop', referrer: referrer('a') },
    { kind: 'strategy type', id: 'own', target: strategyTypes.keyOf('own'), referrer: referrer('b,c') },
  ]);
});

describe('The loaded facts about the references of a strategy', () => {
  const type = { name: 'own', title: null, description: '', editable: true, deprecated: false, parameters: [] };

  test('are the type, the segments visible to the caller, and the legal values', async () => {
    const table = await freshTable();
    await strategyTypes.create(table, systemUser, () => type);
    await segments.create(table, systemUser, (_at, id) => segment(id, null));
    await segments.create(table, systemUser, (_at, id) => segment(id, 'hidden'));
    await contextFields.create(table, systemUser, () => field('country', 'CH'));
    const named = { name: 'own', segments: [1, 2, 3], constraints: [inCountry('CH')] };
    const found = await loadStrategyReferences({ ...table, hiddenProjects: new Set(['hidden']) }, named);
    expect(found).toEqual({
      typeExists: true,
      segments: new Map([[1, segment(1, null)]]),
      legalValues: new Map([['country', new Set(['CH'])]]),
    });
    expect((await loadStrategyReferences(table, named)).segments.size).toBe(2);
    expect(await loadStrategyReferences(table, { name: 'other' })).toEqual(noReferences);
    expect(await loadStrategyReferences(table, {})).toEqual(noReferences);
    expect(await assertLegalValues(table, inCountry('CH'))).toBeUndefined();
    await expect(assertLegalValues(table, inCountry('DE', 'CH', 'FR'))).rejects.toMatchObject({
      name: 'ValidationError',
      details: ['DE', 'FR'].map((value) => ({
        message: `"${value}" is not a legal value of the context field "country".`,
      })),
    });
  });
});
