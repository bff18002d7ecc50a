import { describe, expect, test } from 'vitest';
import * as changes from '../../../../lib/console/plan/plan-changes.ts';
import type { ReleaseTemplateView } from '../../../../lib/release-plans/template-schema.ts';
import type { ConsoleFlag } from '../../../../lib/screens/flag-schema.ts';

const strategy = (id: string, rollout: string) => ({
  ...{ id, name: 'flexibleRollout', constraints: [], segments: [], variants: [], disabled: false, title: null },
  parameters: { rollout, groupId: '{{featureName}}' },
});
const milestone = (id: string, rollout: string, more: object = {}) => ({
  ...{ id, name: id, strategies: [strategy(`${id}-strategy`, rollout)] },
  ...more,
});

/** Builds a flag that is at the second milestone of three; nobody has ever started the first one. */
function placeWith(own: readonly object[] = []): changes.PlanPlace {
  const plan = {
    ...{ id: 'plan', name: 'Careful', activeMilestoneId: 'half', nextAt: null },
    milestones: [
      milestone('few', '10'),
      milestone('half', '50', { startedAt: '2026-11-29T12:00:00Z', transitionCondition: { intervalMinutes: 60 } }),
      milestone('all', '100', { startedAt: '2026-11-29T11:00:00Z' }),
    ],
  };
  const environment = { name: 'production', type: 'production', enabled: true, strategies: own, releasePlans: [plan] };
  const feature = { name: 'checkout', project: 'shop', environments: [environment] };
  const flag = { feature, environments: [{ name: 'production', approvals: 1 }] } as unknown as ConsoleFlag;
  const [state] = flag.feature.environments;
  if (state?.releasePlans[0] === undefined) throw new Error('There is a plan.');
  return { flag, environment: state, plan: state.releasePlans[0] };
}

const where = placeWith();
const [few, half, all] = where.plan.milestones as [never, never, never];

describe('A change of a plan', () => {
  test('is asked for as change requests have it', () => {
    const template = { id: 'template', name: 'Staff first', milestones: [] } as unknown as ReleaseTemplateView;
    const asked = [
      changes.buildPlanAddition(where, template),
      changes.buildPlanRemoval(where),
      changes.buildStart(where, all),
      changes.buildResume(where),
      changes.buildLengthChange(where, half, all, 90),
      changes.buildLengthRemoval(where, half, all),
    ].map(({ request }) => request);
    const feature = 'checkout';
    const transitionCondition = { intervalMinutes: 90 };
    expect(asked).toEqual([
      { feature, action: 'addReleasePlan', payload: { templateId: 'template' } },
      { feature, action: 'deleteReleasePlan', payload: { planId: 'plan' } },
      { feature, action: 'startMilestone', payload: { planId: 'plan', milestoneId: 'all' } },
      { feature, action: 'resumeMilestoneProgression', payload: { planId: 'plan' } },
      {
        ...{ feature, action: 'changeMilestoneProgression' },
        payload: { sourceMilestone: 'half', targetMilestone: 'all', transitionCondition },
      },
      { feature, action: 'deleteMilestoneProgression', payload: { sourceMilestone: 'half' } },
    ]);
  });

  test('needs no approval to pause, or to go back to a milestone that was active before', () => {
    const atTheEnd = { ...where, plan: { ...where.plan, activeMilestoneId: 'all' } };
    expect(changes.buildPause(where).request).toBeUndefined();
    expect(changes.buildStart(atTheEnd, half).request).toBeUndefined();
    expect(changes.buildStart(atTheEnd, few).request).toBeDefined();
  });

  test('says that a paused plan stays paused, and that its safeguards watch again where the flag is on', () => {
    const paused = { ...(half as object), pausedAt: '2026-11-29T13:00:00Z' };
    const startIn = (safeguards: readonly object[], enabled = true) => {
      const plan = { ...where.plan, milestones: [few, paused, all], safeguards } as typeof where.plan;
      return changes.buildStart({ ...where, environment: { ...where.environment, enabled }, plan }, all).effect;
    };
    expect(startIn([])).toContain('The plan stays paused.');
    expect(startIn([{ id: 'errors' }])).toContain('The plan stays paused, and its safeguards watch again.');
    expect(startIn([{ id: 'errors' }], false)).toContain('The plan stays paused.');
  });

  test('says what remains without the plan', () => {
    expect(changes.buildPlanRemoval(where).effect).toBe(
      'No strategy remains, so the flag goes off in production within seconds.',
    );
    const { effect, reach } = changes.buildPlanRemoval(placeWith([strategy('own', '5')]));
    expect(effect).toBe('The strategy of the flag itself remains.');
    expect(reach?.after.map(({ id }) => id)).toEqual(['own']);
  });

  test('measures the strategies of a template as the plan will have them, beside those of the flag', () => {
    const template = { id: 'template', milestones: [milestone('few', '10')] } as unknown as ReleaseTemplateView;
    const { reach } = changes.buildPlanAddition(placeWith([strategy('own', '5')]), template);
    expect(reach?.after.map(({ id, parameters }) => [id, parameters.groupId])).toEqual([
      ['few-strategy', 'checkout'],
      ['own', '{{featureName}}'],
    ]);
  });

  test('concerns nobody who changes another environment or the rest of the flag', () => {
    const { part } = changes.buildStart(where, all);
    const other = { ...where.flag, feature: { ...where.flag.feature, description: 'New' } };
    expect(part(other)).toEqual(part(where.flag));
    const paused = { ...where.environment, enabled: false };
    expect(part({ ...where.flag, feature: { ...where.flag.feature, environments: [paused] } })).not.toEqual(
      part(where.flag),
    );
  });
});
