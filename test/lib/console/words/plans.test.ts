import { describe, expect, test } from 'vitest';
import { describeProgress } from '../../../../lib/console/words/flags.ts';
import {
  describeLength,
  describeNext,
  describeOwn,
  describeReach,
  findTimeShare,
  milestoneStateOf,
} from '../../../../lib/console/words/plans.ts';
import { describeMinutes } from '../../../../lib/console/words/times.ts';
import type { ReleasePlanView } from '../../../../lib/features/plans/plan-schema.ts';

const strategy = (rollout: string, more: object = {}) => ({
  ...{ name: 'flexibleRollout', parameters: { rollout }, constraints: [], segments: [], disabled: false },
  ...more,
});

const now = Date.parse('2026-11-29T12:00:00Z');
const hourAgo = '2026-11-29T11:00:00.000Z';
const milestones = [
  { id: 'few', name: 'Few', startedAt: hourAgo, transitionCondition: { intervalMinutes: 60 } },
  { id: 'half', name: 'Half', startedAt: hourAgo, transitionCondition: { intervalMinutes: 120 } },
  { id: 'all', name: 'All' },
];

/** Builds a plan whose second milestone is active. */
const planWith = (change: object = {}) =>
  ({ milestones, activeMilestoneId: 'half', nextAt: null, ...change }) as unknown as ReleasePlanView;

describe('A release plan in words', () => {
  test.each([
    [90, '90 minutes'],
    [120, '2 hours'],
    [1_440, '1 day'],
    [2_880, '2 days'],
    [1_500, '25 hours'],
  ])('%d minutes are written in the largest whole unit', (minutes, text) => {
    expect(describeMinutes(minutes)).toBe(text);
  });

  test('says the share of a milestone where a single number says it', () => {
    expect(describeReach({ strategies: [strategy('50')] })).toBe('50%');
    expect(describeReach({ strategies: [strategy('50'), strategy('100', { disabled: true })] })).toBe('50%');
    expect(describeReach({ strategies: [{ ...strategy('50'), name: 'default', parameters: {} }] })).toBe('100%');
    expect(describeReach({ strategies: [] })).toBe('0%');
    expect(describeReach({ strategies: [strategy('50'), strategy('100')] })).toBe('100%');
    expect(describeReach({ strategies: [strategy('50'), strategy('100', { segments: [1] })] })).toBeUndefined();
    expect(describeReach({ strategies: [strategy('50'), strategy('10')] })).toBeUndefined();
    expect(describeReach({ strategies: [strategy('50', { segments: [1] })] })).toBeUndefined();
    expect(describeReach({ strategies: [{ ...strategy('50'), name: 'userWithId', parameters: {} }] })).toBeUndefined();
  });

  test('says how long a milestone lasts', () => {
    expect(describeLength({ transitionCondition: { intervalMinutes: 60 } })).toBe('Lasts 1 hour');
    expect(describeLength({})).toBe('Lasts until somebody starts the next one');
  });

  test('knows the state of each milestone, also after somebody has gone back', () => {
    const states = (plan: ReleasePlanView) => plan.milestones.map((milestone) => milestoneStateOf(plan, milestone));
    expect(states(planWith())).toEqual(['done', 'active', 'later']);
    expect(states(planWith({ activeMilestoneId: 'few' }))).toEqual(['active', 'later', 'later']);
    expect(states(planWith({ activeMilestoneId: null }))).toEqual(['later', 'later', 'later']);
    const [, half, all] = milestones;
    const skipped = planWith({ activeMilestoneId: 'all', milestones: [{ id: 'few', name: 'Few' }, half, all] });
    expect(states(skipped)).toEqual(['skipped', 'done', 'active']);
  });

  test('says whom the strategies of the flag itself let in at every milestone', () => {
    const beside = (...strategies: object[]) => describeOwn(strategies as Parameters<typeof describeOwn>[0]);
    expect(beside()).toBeUndefined();
    expect(beside(strategy('100', { disabled: true }))).toBeUndefined();
    expect(beside(strategy('50'))).toBe('Users of the strategies of the flag itself get it, too.');
    expect(beside(strategy('50'), strategy('100', { title: 'All' }))).toBe(
      'Everybody gets it at every milestone: the strategy “All” of the flag itself lets them in.',
    );
  });

  test('says what happens next', () => {
    const next = (change: object, isOn = true) => describeNext(planWith(change), isOn, now);
    expect(next({ nextAt: '2026-11-29T14:00:00Z' })).toMatch(/^“All” starts in 2 h, Sun,? 29 Nov/);
    expect(next({ nextAt: '2026-11-29T12:00:20Z' })).toBe('“All” starts any moment now.');
    expect(next({ nextAt: '2026-11-29T11:59:00Z' })).toBe('“All” starts any moment now.');
    expect(next({})).toBe('“All” waits for somebody to start it.');
    expect(next({ activeMilestoneId: 'all' })).toBe('It is the last one.');
    expect(next({ activeMilestoneId: null }, false)).toBe('The plan waits: “Few” starts when the flag is switched on.');
    expect(next({}, false)).toBe('The flag is off: nobody gets it, and the plan stands still.');
    const paused = milestones.map((milestone) => ({
      ...milestone,
      ...(milestone.id === 'half' && { pausedAt: hourAgo }),
    }));
    expect(next({ milestones: paused })).toBe('Until it is resumed, “All” does not start by itself.');
    const untimed = paused.map(({ transitionCondition: _, ...milestone }) => milestone);
    expect(next({ milestones: untimed })).toBe('“All” waits for somebody to start it.');
  });

  test('counts the time of the active milestone while its clock runs', () => {
    expect(findTimeShare(planWith({ nextAt: '2026-11-29T13:00:00Z' }), now)).toBe(0.5);
    expect(findTimeShare(planWith({ nextAt: '2026-11-29T11:00:00Z' }), now)).toBe(1);
    expect(findTimeShare(planWith(), now)).toBeUndefined();
  });

  test('says in lists how far it is', () => {
    expect(describeProgress({ milestoneName: 'Half', milestoneOrder: 1, totalMilestones: 3 })).toBe('Half, 2 of 3');
    expect(describeProgress({ totalMilestones: 3 })).toBe('Plan waits');
    expect(describeProgress({})).toBeUndefined();
    const beside = { milestoneName: 'Half', milestoneOrder: 1, totalMilestones: 3, isForEverybody: true };
    expect(describeProgress({ enabled: true, ...beside })).toBe('All users');
    expect(describeProgress({ enabled: false, ...beside })).toBe('Half, 2 of 3');
  });
});
