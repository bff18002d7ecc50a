import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../lib/console/data/client.ts';
import { describeLimits } from '../../../../lib/console/release-templates/describe-limits.ts';
import {
  buildNewMilestone,
  buildNewStrategy,
  buildNewTemplate,
  findProblemsOfMilestone,
  listTemplateProblems,
  type MilestoneDraft,
  moveTo,
  placeProblems,
  type TemplateDraft,
  toTemplateBody,
  toTemplateDraft,
} from '../../../../lib/console/release-templates/template-draft.ts';

const milestone = (name: string, more: Partial<MilestoneDraft> = {}): MilestoneDraft => ({
  ...{ id: `id of ${name}`, name, interval: null, strategies: [buildNewStrategy()] },
  ...more,
});
const templateOf = (...milestones: MilestoneDraft[]): TemplateDraft => ({
  ...{ name: 'Careful', description: '', project: null, milestones },
});

describe('The draft of a release template', () => {
  test('begins with one milestone for everybody, and needs only a name', () => {
    const draft = buildNewTemplate('shop');
    expect(listTemplateProblems(draft)).toEqual(['The template needs a name.']);
    expect(toTemplateBody(draft)).toMatchObject({
      project: 'shop',
      milestones: [
        { sortOrder: 0, strategies: [{ parameters: { rollout: '100', groupId: '{{featureName}}' }, sortOrder: 0 }] },
      ],
    });
  });

  test.each([
    [90, { count: '90', unit: 'minutes' }],
    [120, { count: '2', unit: 'hours' }],
    [2_880, { count: '2', unit: 'days' }],
  ] as const)('shows %i minutes in the largest unit, and sends the same', (intervalMinutes, interval) => {
    const [few, all] = [milestone('Few', { interval }), milestone('All')];
    const body = toTemplateBody(templateOf(few, all));
    expect(body.milestones[0]?.transitionCondition).toEqual({ intervalMinutes });
    const strategies = few.strategies.map((strategy) => ({ ...strategy, sortOrder: 0 }));
    const stored = { ...body, milestones: body.milestones.map((each) => ({ ...each, strategies })) };
    expect(toTemplateDraft(stored as never).milestones[0]?.interval).toEqual(interval);
  });

  test('sends milestones in their order, and no time for the last one', () => {
    const draft = templateOf(milestone('Few', { interval: { count: '1', unit: 'days' } }), milestone('All'));
    const moved = { ...draft, milestones: moveTo(draft.milestones, 0, 1) };
    const sent = toTemplateBody(moved).milestones.map(({ name, sortOrder, transitionCondition }) => ({
      ...{ name, sortOrder, transitionCondition },
    }));
    expect(sent).toEqual([
      { name: 'All', sortOrder: 0 },
      { name: 'Few', sortOrder: 1 },
    ]);
  });

  test('gives a new milestone a name that no other has', () => {
    expect(buildNewMilestone([milestone('Milestone 2')]).name).toBe('Milestone 3');
  });

  test('says what is wrong with milestones, at their fields', () => {
    const never = { count: '0', unit: 'days' } as const;
    const milestones = [milestone('Few', { interval: never }), milestone(' Few'), milestone('', { strategies: [] })];
    expect(milestones.map((_, index) => findProblemsOfMilestone(milestones, index))).toEqual([
      { name: 'Another milestone has this name.', interval: expect.stringContaining('from 1 on') },
      { name: 'Another milestone has this name.' },
      { strategies: 'A milestone needs a strategy.' },
    ]);
    expect(listTemplateProblems(templateOf(...milestones))).toHaveLength(4);
  });

  test('says whom a strategy is for', () => {
    const variant = { name: 'blue', weight: 1_000, weightType: 'variable', stickiness: 'default' } as const;
    const strategy = {
      ...buildNewStrategy(),
      ...{ segments: [1, 2], variants: [variant] },
      constraints: [{ contextName: 'appName', operator: 'IN' as const, values: ['shop', 'office'] }],
    };
    const limits = describeLimits(strategy, [{ id: 1, name: 'Europe' }]);
    expect(limits).toEqual(['in Europe', 'in segment 2', 'appName is one of shop, office', '1 variant']);
  });

  test('places the problems that the service has found', () => {
    const sent = templateOf(milestone('Few'), milestone('All'));
    const at = (path?: string) => ({ message: `wrong ${path}`, ...(path !== undefined && { path }) });
    const strategy = 'milestones.1.strategies.0';
    const details = [
      ...[at('name'), at('milestones.0.name'), at('milestones.0.transitionCondition.intervalMinutes')],
      ...[at(`${strategy}.segments.0`), at(`${strategy}.constraints.0`), at('milestones.1'), at()],
    ];
    const placed = placeProblems({ refusal: new Refusal(400, { message: 'Wrong', details }), problems: [] }, sent);
    expect(placed.name).toBe('wrong name');
    expect([...placed.milestones]).toEqual([
      ['id of Few', { name: details[1]?.message, interval: details[2]?.message }],
      ['id of All', { strategies: details[5]?.message }],
    ]);
    expect([...placed.strategies.values()]).toEqual([[details[3]?.message, details[4]?.message]]);
    expect(placed.others).toEqual(['wrong undefined']);
  });

  test('shows a name in use at the name, and any other refusal below the form', () => {
    const sent = templateOf(milestone('All'));
    const place = (name: string) =>
      placeProblems({ refusal: new Refusal(409, { name, message: 'No.' }), problems: ['No.'] }, sent);
    expect(place('NameExistsError')).toMatchObject({ name: 'No.', others: [] });
    expect(place('ConflictError')).toMatchObject({ name: undefined, others: ['No.'] });
  });
});
