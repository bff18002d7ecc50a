import { describe, expect, test } from 'vitest';
import { mergeEdits, takeTheirs } from '../../../../lib/console/data/merge.ts';

const opened = {
  title: 'Beta testers',
  parameters: { rollout: '25', stickiness: 'userId' },
  segments: [1],
  constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
};

describe('A merge of edits', () => {
  test('keeps the changes of both sides to different parts', () => {
    const mine = { ...opened, title: 'Testers' };
    const current = { ...opened, segments: [1, 2] };
    expect(mergeEdits(opened, mine, current)).toEqual({
      merged: { ...opened, title: 'Testers', segments: [1, 2] },
      conflicts: [],
    });
  });

  test('keeps the changes of both sides to different entries of a part with names', () => {
    const mine = { ...opened, parameters: { rollout: '50', stickiness: 'userId' } };
    const current = { ...opened, parameters: { rollout: '25', stickiness: 'sessionId' } };
    const { merged, conflicts } = mergeEdits(opened, mine, current);
    expect(merged.parameters).toEqual({ rollout: '50', stickiness: 'sessionId' });
    expect(conflicts).toEqual([]);
  });

  test('finds no conflict where both sides have made the same change', () => {
    const mine = { ...opened, title: 'Testers' };
    expect(mergeEdits(opened, mine, mine)).toEqual({ merged: mine, conflicts: [] });
  });

  test('reports a part that both sides have changed, and keeps mine until somebody decides', () => {
    const mine = { ...opened, parameters: { ...opened.parameters, rollout: '50' } };
    const current = { ...opened, parameters: { ...opened.parameters, rollout: '75' } };
    expect(mergeEdits(opened, mine, current)).toEqual({
      merged: mine,
      conflicts: [{ part: 'parameters.rollout', opened: '25', mine: '50', theirs: '75' }],
    });
  });

  test('takes a list as one part: two changes of conditions do not add up', () => {
    const mine = { ...opened, constraints: [{ contextName: 'region', operator: 'IN', values: ['us'] }] };
    const current = { ...opened, constraints: [] };
    expect(mergeEdits(opened, mine, current).conflicts.map(({ part }) => part)).toEqual(['constraints']);
  });

  test('keeps a part that one side has removed and the other has left alone removed', () => {
    const before: { a: string; b?: string } = { a: '1', b: '2' };
    const after: { a: string; b?: string } = { a: '1' };
    expect(mergeEdits(before, after, before).merged).toEqual(after);
    expect(mergeEdits(before, before, after).merged).toEqual(after);
  });

  test('takes theirs for the parts that somebody chooses', () => {
    const mine = { ...opened, title: 'Mine', parameters: { ...opened.parameters, rollout: '50' } };
    const current = { ...opened, title: 'Theirs', parameters: { ...opened.parameters, rollout: '75' } };
    const { merged, conflicts } = mergeEdits(opened, mine, current);
    expect(takeTheirs(merged, conflicts, new Set(['parameters.rollout']))).toEqual({
      ...opened,
      title: 'Mine',
      parameters: { ...opened.parameters, rollout: '75' },
    });
  });

  test('removes a part that the other side has removed, if that is chosen', () => {
    const before: { a?: string } = { a: '1' };
    const { merged, conflicts } = mergeEdits(before, { a: '2' }, {});
    expect(takeTheirs(merged, conflicts, new Set(['a']))).toEqual({});
  });
});
