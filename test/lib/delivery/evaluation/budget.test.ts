import { describe, expect, test } from 'vitest';
import { requestWorkMax, WorkBudget } from '../../../../lib/delivery/evaluation/budget.ts';
import { buildContextInSession } from '../../../../lib/delivery/evaluation/context.ts';
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

/** @param workMax less than a request has where many features would take the test long. */
function evaluate(
  features: readonly EvaluableFeature[],
  field: string,
  { segments = new Map(), workMax = requestWorkMax } = {},
) {
  const budget = new CountedBudget(workMax);
  const context = buildContextInSession({ texts: { userId: field }, properties: { field } }, { budget });
  const all = new Evaluation({ features, segments }).evaluateAll(context);
  return { spent: budget.spent, results: new Map(all.map((each) => [each.feature.name, each])) };
}

describe('The work of a request is limited', () => {
  const long = 'ab'.repeat(2_048);
  const many = Array.from({ length: 250 }, (_, index) => `${'a'.repeat(90)}${index}`);

  const workMax = requestWorkMax / 20;
  const ranges = Array.from({ length: 250 }, (_, index) => `10.0.${index}.0/24`);

  test.each<[string, number, (index: number) => Constraint]>([
    ['regular expressions', 1, (index) => constraint('REGEX', { value: expression(index) })],
    ['texts that contain a value', 1, () => constraint('STR_CONTAINS', { values: many })],
    ['texts in any case', 1, () => constraint('STR_CONTAINS', { values: many, caseInsensitive: true })],
    ['beginnings of texts', 3, () => constraint('STR_STARTS_WITH', { values: many })],
    ['ranges of addresses', 3, () => constraint('IN_CIDR', { values: ranges })],
    ['numbers', 5, () => constraint('NUM_EQ', { value: '7' })],
    ['versions', 1, () => constraint('SEMVER_EQ', { value: '1.2.3' })],
  ])('in total over all flags: %s', (_what, count, constraintAt) => {
    const { spent, results } = evaluate([...hardFeatures(count, constraintAt), light], long, { workMax });
    expect(spent).toBeLessThanOrEqual(workMax);
    expect(results.get(`hard-${count - 1}`)).toMatchObject({ isDecided: false, enabled: false });
    expect(results.get('light')).toMatchObject({ isDecided: true, enabled: true });
  });

  test('in total over all flags, including the hashes of rollouts and variants', () => {
    const stickiness = 'userId';
    const features = Array.from({ length: 600 }, (_, index) => ({
      ...{ name: `hard-${index}`, enabled: true },
      strategies: [{ name: 'flexibleRollout', parameters: { rollout: '99', stickiness, groupId: 'a' } }],
      variants: [{ name: 'one', weight: 1_000, stickiness }],
    }));
    const { spent, results } = evaluate(features, long, { workMax });
    expect(spent).toBeLessThanOrEqual(workMax);
    expect(results.get('hard-0')).toMatchObject({ isDecided: true });
    expect(results.get('hard-599')).toMatchObject({ isDecided: false });
  });

  test('including the conversion to lower case, once for each text', () => {
    const inCapitals = (count: number) =>
      evaluate(
        hardFeatures(count, () => constraint('STR_STARTS_WITH', { values: ['n'], caseInsensitive: true })),
        '\u0130'.repeat(4_096),
      ).spent;
    const [one, three] = [inCapitals(1), inCapitals(3)];
    expect(one).toBeGreaterThan(4_096 * 30);
    expect(three - one).toBeLessThan(one);
    const within = evaluate(
      hardFeatures(1, () => constraint('STR_CONTAINS', { values: ['none'], caseInsensitive: true })),
      '\u0130'.repeat(1_000),
    );
    const asSent = evaluate(
      hardFeatures(1, () => constraint('STR_CONTAINS', { values: ['none'] })),
      '\u0130'.repeat(1_000),
    );
    expect(within.spent).toBeGreaterThan(1.9 * asSent.spent);
  });

  test('but suffices for usual values, however many flags compare them', () => {
    const features = hardFeatures(10, (index) => constraint('REGEX', { value: `^[a-z]+${index % 40}@example\\.com$` }));
    const { results } = evaluate(features, 'somebody7@example.com');
    expect([...results.values()].every(({ isDecided }) => isDecided)).toBe(true);
  });
});

test('Cheap flags are decided before expensive ones, whatever their order', () => {
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
  const { results } = evaluate(features, 'ab'.repeat(2_000));
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

test('Equal expressions, and segments of many strategies, are evaluated once for a context', () => {
  const field = 'ab'.repeat(1_000);
  const one = evaluate(
    hardFeatures(1, () => constraint('REGEX', { value: expression(0) })),
    field,
  );
  const alike = evaluate(
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
  expect(evaluate(using, field, { segments }).spent).toBe(evaluate(first ? [first] : [], field, { segments }).spent);
});

test('An expression that was compiled ahead takes no work for compiling, and other requests have their turn meanwhile', async () => {
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
  const ahead = evaluate(features, 'ab').spent;
  expect(ahead).toBeGreaterThan(0);
  const unread = structuredClone(features);
  expect(evaluate(unread, 'ab').spent).toBeGreaterThan(ahead);
  expect(evaluate(unread, 'ab').spent).toBe(ahead);
});
