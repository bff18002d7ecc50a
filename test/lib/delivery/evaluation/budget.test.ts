import { describe, expect, test } from 'vitest';
import { requestWorkMax, WorkBudget } from '../../../../lib/delivery/evaluation/budget.ts';
import { contextInSession } from '../../../../lib/delivery/evaluation/context.ts';
import { type EvaluableFeature, Evaluation } from '../../../../lib/delivery/evaluation/evaluation.ts';
import { compileAhead } from '../../../../lib/delivery/evaluation/expression.ts';
import type { Constraint } from '../../../../lib/features/strategies/constraint-schema.ts';

/** A budget that tells how much of it was spent. */
class CountedBudget extends WorkBudget {
  spent = 0;

  override spend(nanoseconds: number): void {
    super.spend(nanoseconds);
    this.spent += nanoseconds;
  }
}

const constraint = (operator: Constraint['operator'], operands: Partial<Constraint>): Constraint => ({
  ...{ contextName: 'field', operator, values: [], inverted: true },
  ...operands,
});
const expression = (index: number) => `[ab]*a[ab]{${380 + index}}[cd]`;

/** Features with thirty strategies of thirty constraints each, none of which is on. */
function hardFeatures(count: number, constraintAt: (index: number) => Constraint): EvaluableFeature[] {
  const never: Constraint = { contextName: 'field', operator: 'IN', values: ['none'] };
  return Array.from({ length: count }, (_, feature) => ({
    name: `hard-${feature}`,
    enabled: true,
    strategies: Array.from({ length: 30 }, (_, strategy) => ({
      name: 'default',
      constraints: [...Array.from({ length: 29 }, (_, index) => constraintAt(strategy * 29 + index)), never],
    })),
  }));
}

const light: EvaluableFeature = {
  name: 'light',
  enabled: true,
  strategies: [{ name: 'default', constraints: [{ contextName: 'field', operator: 'NOT_IN', values: ['none'] }] }],
};

function evaluated(features: readonly EvaluableFeature[], field: string, segments = new Map()) {
  const budget = new CountedBudget(requestWorkMax);
  const context = contextInSession({ texts: { userId: field }, properties: { field } }, { budget });
  const all = new Evaluation({ features, segments }).evaluateAll(context);
  return { spent: budget.spent, results: new Map(all.map((each) => [each.feature.name, each])) };
}

describe('The work of a request is bounded', () => {
  const long = 'ab'.repeat(2_048);
  const many = Array.from({ length: 250 }, (_, index) => `${'a'.repeat(90)}${index}`);

  const ranges = Array.from({ length: 250 }, (_, index) => `10.0.${index}.0/24`);

  test.each<[string, number, (index: number) => Constraint]>([
    ['regular expressions', 1, (index) => constraint('REGEX', { value: expression(index) })],
    ['texts that may be within a value', 20, () => constraint('STR_CONTAINS', { values: many })],
    ['texts in capitals or not', 20, () => constraint('STR_CONTAINS', { values: many, caseInsensitive: true })],
    ['the beginnings of texts', 60, () => constraint('STR_STARTS_WITH', { values: many })],
    ['ranges of addresses', 60, () => constraint('IN_CIDR', { values: ranges })],
    ['numbers', 100, () => constraint('NUM_EQ', { value: '7' })],
    ['versions', 20, () => constraint('SEMVER_EQ', { value: '1.2.3' })],
  ])('by its sum over all flags: %s', (_what, count, constraintAt) => {
    const { spent, results } = evaluated([...hardFeatures(count, constraintAt), light], long);
    expect(spent).toBeLessThanOrEqual(requestWorkMax);
    expect(results.get(`hard-${count - 1}`)).toMatchObject({ isDecided: false, enabled: false });
    expect(results.get('light')).toMatchObject({ isDecided: true, enabled: true });
  });

  test('by its sum over all flags: rollouts and variants, which hash an id', () => {
    const stickiness = 'userId';
    const features = Array.from({ length: 12_000 }, (_, index) => ({
      ...{ name: `hard-${index}`, enabled: true },
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '99', stickiness, groupId: 'a' } }],
      variants: [{ name: 'one', weight: 1_000, stickiness }],
    }));
    const { spent, results } = evaluated(features, long);
    expect(spent).toBeLessThanOrEqual(requestWorkMax);
    expect(results.get('hard-0')).toMatchObject({ isDecided: true });
    expect(results.get('hard-11999')).toMatchObject({ isDecided: false });
  });

  test('by what a text is in lowercase, which is made once and may be longer', () => {
    const inCapitals = (count: number) =>
      evaluated(
        hardFeatures(count, () => constraint('STR_STARTS_WITH', { values: ['n'], caseInsensitive: true })),
        '\u0130'.repeat(4_096),
      ).spent;
    const [one, three] = [inCapitals(1), inCapitals(3)];
    expect(one).toBeGreaterThan(4_096 * 30);
    expect(three - one).toBeLessThan(one);
    const within = evaluated(
      hardFeatures(1, () => constraint('STR_CONTAINS', { values: ['none'], caseInsensitive: true })),
      '\u0130'.repeat(1_000),
    );
    const asSent = evaluated(
      hardFeatures(1, () => constraint('STR_CONTAINS', { values: ['none'] })),
      '\u0130'.repeat(1_000),
    );
    expect(within.spent).toBeGreaterThan(1.9 * asSent.spent);
  });

  test('and suffices for values of the usual lengths, however many flags compare them', () => {
    const features = hardFeatures(10, (index) => constraint('REGEX', { value: `^[a-z]+${index % 40}@example\\.com$` }));
    const { results } = evaluated(features, 'somebody7@example.com');
    expect([...results.values()].every(({ isDecided }) => isDecided)).toBe(true);
  });
});

test('Flags that take less work are decided before those that take more, wherever they stand', () => {
  const compared = (name: string, ...lengths: number[]): EvaluableFeature => ({
    ...{ name, enabled: true },
    strategies: [
      {
        name: 'default',
        constraints: lengths.map((length) => constraint('REGEX', { value: `[ab]*a[ab]{${length}}[cd]` })),
      },
    ],
  });
  const features = [
    compared('a-heavy', 400, 401),
    { name: 'b-child', enabled: true, dependencies: [{ feature: 'a-heavy', enabled: false }] },
    compared('c-light', 450),
    compared('d-lighter', 40),
  ];
  const { results } = evaluated(features, 'ab'.repeat(2_000));
  expect([...results.values()].map(({ enabled, isDecided }) => [enabled, isDecided])).toEqual([
    ...[
      [false, false],
      [false, false],
    ],
    ...[
      [true, true],
      [true, true],
    ],
  ]);
});

test('Equal expressions, and segments that many strategies use, are compared with a value once', () => {
  const field = 'ab'.repeat(1_000);
  const one = evaluated(
    hardFeatures(1, () => constraint('REGEX', { value: expression(0) })),
    field,
  );
  const alike = evaluated(
    hardFeatures(50, () => constraint('REGEX', { value: expression(0) })),
    field,
  );
  expect(alike.spent).toBe(one.spent);
  const segments = new Map([[1, { constraints: [constraint('STR_CONTAINS', { values: ['none'] })] }]]);
  const using = Array.from({ length: 50 }, (_, index) => ({
    ...{ name: `using-${index}`, enabled: true },
    strategies: [{ name: 'default', segments: [1] }],
  }));
  const [first] = using;
  expect(evaluated(using, field, segments).spent).toBe(evaluated(first ? [first] : [], field, segments).spent);
});

test('An expression that was compiled ahead takes no work for that, and others have their turn meanwhile', async () => {
  const constraints = Array.from({ length: 40 }, (_, index) =>
    constraint('REGEX', { value: `[ab]{${index + 450}}[cd]` }),
  );
  const features: EvaluableFeature[] = [
    { name: 'flag', enabled: true, strategies: [{ name: 'default', constraints }] },
  ];
  let turns = 0;
  const counting = setImmediate(function count() {
    turns += 1;
    setImmediate(count).unref();
  });
  await compileAhead(constraints);
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(2);
  const ahead = evaluated(features, 'ab').spent;
  expect(ahead).toBeGreaterThan(0);
  const unread = structuredClone(features);
  expect(evaluated(unread, 'ab').spent).toBeGreaterThan(ahead);
  expect(evaluated(unread, 'ab').spent).toBe(ahead);
});
