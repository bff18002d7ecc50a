import { describe, expect, test } from 'vitest';
import { buildNewDraft, toDraft } from '../../../../lib/console/strategy/draft.ts';
import { newStrategyId, withDraft } from '../../../../lib/console/strategy/with-draft.ts';
import type { ConsoleFlag } from '../../../../lib/screens/flag-schema.ts';

describe('A flag with a draft', () => {
  const strategy = (id: string) => ({ ...buildNewDraft('checkout', undefined), id, sortOrder: 0 });
  const milestone = (id: string, strategies: readonly string[]) => ({ id, strategies: strategies.map(strategy) });
  const environment = (name: string) => ({
    ...{ name, enabled: false, strategies: [strategy('a'), strategy('b')] },
    releasePlans: [{ activeMilestoneId: 'few', milestones: [milestone('few', ['c']), milestone('all', ['d'])] }],
  });
  const flag = {
    feature: { name: 'checkout', environments: [environment('development'), environment('production')] },
    segments: [{ id: 1, name: 'Testers', constraints: [] }],
  } as unknown as ConsoleFlag;
  const strategiesOf = ({ feature }: ConsoleFlag, place: string) =>
    feature.environments.find(({ name }) => name === place)?.strategies ?? [];

  test('has it in place of the strategy that it edits, and only where it is edited', () => {
    const draft = { ...toDraft(strategiesOf(flag, 'production')[1] as never), title: 'Beta' };
    const edited = withDraft(flag, 'production', 'b', draft, []);
    expect(strategiesOf(edited, 'production').map(({ id, title }) => [id, title])).toEqual([
      ['a', ''],
      ['b', 'Beta'],
    ]);
    expect(strategiesOf(edited, 'development')).toEqual(strategiesOf(flag, 'development'));
  });

  test('is at the milestone whose strategy is edited', () => {
    const draft = { ...toDraft(strategiesOf(flag, 'production')[0] as never), title: 'Beta' };
    const { feature } = withDraft(flag, 'production', 'd', draft, []);
    const plans = feature.environments.flatMap(({ releasePlans }) => releasePlans);
    expect(plans.map(({ activeMilestoneId }) => activeMilestoneId)).toEqual(['few', 'all']);
    expect(plans[1]?.milestones.map(({ strategies }) => strategies[0]?.title)).toEqual(['', 'Beta']);
  });

  test('has a new strategy behind the others', () => {
    const edited = withDraft(flag, 'production', undefined, buildNewDraft('checkout', undefined), []);
    expect(strategiesOf(edited, 'production').map(({ id }) => id)).toEqual(['a', 'b', newStrategyId]);
  });

  test('is on where it is edited, and knows the segments that the draft may use', () => {
    const draft = { ...buildNewDraft('checkout', undefined), segments: [2] };
    const { feature, segments } = withDraft(flag, 'production', undefined, draft, [
      { id: 2, name: 'Staff', constraints: [] },
    ]);
    expect(feature.environments.map(({ enabled }) => enabled)).toEqual([false, true]);
    expect(segments.map(({ id }) => id)).toEqual([2, 1]);
  });
});
