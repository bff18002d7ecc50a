import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../lib/features/feature.ts';
import { lifecycleSummary, statisticsOf } from '../../../lib/overviews/statistics.ts';

const at = Date.parse('2026-06-30T00:00:00.000Z');
const daysAgo = (days: number) => new Date(at - days * 86_400_000).toISOString();

/** As much of a feature as statistics look at. */
function feature({ created = 0, archived, live }: { created?: number; archived?: number; live?: number }): Feature {
  const stages = [
    { stage: 'initial', enteredStageAt: daysAgo(created) },
    ...(live === undefined ? [] : [{ stage: 'live', enteredStageAt: daysAgo(live) }]),
    ...(archived === undefined ? [] : [{ stage: 'archived', enteredStageAt: daysAgo(archived) }]),
  ];
  const archivedAt = archived === undefined ? null : daysAgo(archived);
  return {
    type: 'release',
    stale: false,
    createdAt: daysAgo(created),
    archivedAt,
    stages,
    lifecycle: stages.at(-1),
  } as unknown as Feature;
}

describe('The statistics of a project', () => {
  test('count what was created and archived in the last 30 days, and in the 30 days before', () => {
    const features = [0, 29, 31, 59, 61].map((created) => feature({ created }));
    features.push(feature({ created: 90, archived: 1 }), feature({ created: 90, archived: 40 }));
    expect(statisticsOf(features, at)).toMatchObject({
      createdCurrentWindow: 2,
      createdPastWindow: 2,
      archivedCurrentWindow: 1,
      archivedPastWindow: 1,
    });
  });

  test('average how long features took to go live, and say 0 where none did', () => {
    expect(statisticsOf([feature({ created: 5 })], at).avgTimeToProdCurrentWindow).toBe(0);
    const features = [feature({ created: 10, live: 8 }), feature({ created: 10, live: 5 }), feature({ created: 10 })];
    expect(statisticsOf(features, at).avgTimeToProdCurrentWindow).toBe(3.5);
  });
});

test('A summary counts features by stage, and averages how long they stay in it, until now where they still are', () => {
  const features = [feature({ created: 10, live: 4 }), feature({ created: 2 }), feature({ created: 20, archived: 12 })];
  expect(lifecycleSummary(features, at)).toEqual({
    initial: { averageDays: 5.3, currentFlags: 1 },
    preLive: { averageDays: null, currentFlags: 0 },
    live: { averageDays: 4, currentFlags: 1 },
    completed: { averageDays: null, currentFlags: 0 },
    archived: { currentFlags: 1, last30Days: 1 },
  });
});
