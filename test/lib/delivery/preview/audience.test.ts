import { describe, expect, test } from 'vitest';
import { measureAudience, sampleFields } from '../../../../lib/delivery/preview/audience.ts';
import type { Constraint } from '../../../../lib/features/strategies/constraint-schema.ts';

const users = 10_000;

const country = (...values: string[]): Constraint => ({ contextName: 'country', operator: 'IN', values });

/** Builds a flag that is on for a share of users, under conditions. */
const flagFor = (rollout: number, constraints: readonly Constraint[] = []) => ({
  ...{ name: 'checkout', enabled: true, variants: [], dependencies: [] },
  strategies: [
    {
      ...{ name: 'flexibleRollout', constraints, segments: [], variants: [] },
      parameters: { rollout: String(rollout), stickiness: 'default', groupId: 'checkout' },
    },
  ],
});

describe('The preview of an audience', () => {
  test('says that nobody loses a flag whose share grows', () => {
    const audience = measureAudience(flagFor(25), flagFor(50), [], [], users);
    expect(audience).toMatchObject({ users, lost: 0, gained: audience.after - audience.before });
    // Some users more or less than the share is what a hash gives.
    expect(audience.before / users).toBeCloseTo(0.25, 1);
    expect(audience.after / users).toBeCloseTo(0.5, 1);
  });

  test('counts those who lose a flag to a condition', () => {
    const conditions = [country('CH', 'SE')];
    const fields = sampleFields(conditions, () => []);
    expect(fields).toEqual([{ field: 'country', values: ['CH', 'SE', 'another value'] }]);
    const { before, after, gained, lost } = measureAudience(flagFor(100), flagFor(100, conditions), [], fields, users);
    // The values take turns, so that every third user has none of them.
    expect({ before, after, gained, lost }).toEqual({ before: users, after: 6_667, gained: 0, lost: 3_333 });
  });

  test('takes the legal values of a field where it has some', () => {
    expect(sampleFields([country('CH')], () => ['CH', 'NO'])).toEqual([{ field: 'country', values: ['CH', 'NO'] }]);
  });

  test('finds segments by their ids', () => {
    const [strategy] = flagFor(100).strategies;
    const inSegment = { ...flagFor(100), strategies: [{ ...strategy, name: 'default', segments: [7] }] };
    const fields = sampleFields([country('CH')], () => []);
    const segments = [{ id: 7, constraints: [country('CH')] }];
    expect(measureAudience(inSegment, inSegment, segments, fields, 100)).toMatchObject({ after: 50, lost: 0 });
  });
});
