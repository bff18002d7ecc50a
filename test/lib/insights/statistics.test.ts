import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../lib/features/feature.ts';
import type { ReadModelFeature } from '../../../lib/features/read-model/read-model.ts';
import { computeLeadTime, computeStatistics, summarizeLifecycle } from '../../../lib/insights/statistics.ts';

const at = Date.parse('2026-06-30T00:00:00.000Z');
const daysAgo = (days: number) => new Date(at - days * 86_400_000).toISOString();

/** Builds a feature with the fields that statistics depend on. */
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

const project = {
  environments: [
    { name: 'development', type: 'development' },
    { name: 'production', type: 'production' },
    { name: 'live', type: 'production' },
  ].map((environment) => ({ ...environment, sortOrder: 1 })),
};

/** Builds a feature in a read model, with the number of days since it was first on, by environment. */
function entry(of: Feature, firstOn: Readonly<Record<string, number>> = {}): ReadModelFeature {
  const summaries = Object.entries(firstOn).map(([name, days]) => [name, { firstOn: daysAgo(days) }] as const);
  return { feature: of, summaries: new Map(summaries), mark: 1 } as unknown as ReadModelFeature;
}

describe('The statistics of a project', () => {
  test('count created and archived features in the last 30 days, and in the 30 days before', () => {
    const features = [0, 29, 31, 59, 61].map((created) => feature({ created }));
    features.push(feature({ created: 90, archived: 1 }), feature({ created: 90, archived: 40 }));
    const all = features.map((feature) => entry(feature));
    expect(computeStatistics(all, project, at)).toMatchObject({
      createdCurrentWindow: 2,
      createdPastWindow: 2,
      archivedCurrentWindow: 1,
      archivedPastWindow: 1,
    });
  });

  test('average the whole days until releases were first on in production, and are 0 if none was', () => {
    const old = feature({ created: 10 });
    expect(computeLeadTime([entry(old, { development: 9 })], project)).toEqual({ features: [], projectAverage: 0 });
    const named = (name: string, of: Feature) => ({ ...of, name });
    const features = [
      entry(named('two', old), { development: 10, production: 7.5, live: 1 }),
      entry(named('five', old), { live: 5 }),
      entry(named('created-on', old), { production: 10 }),
      entry({ ...named('permission', old), type: 'permission' }, { production: 1 }),
    ];
    const expected = [
      { name: 'two', timeToProduction: 2 },
      { name: 'five', timeToProduction: 5 },
    ];
    expect(computeLeadTime(features, project)).toEqual({ features: expected, projectAverage: 3.5 });
    expect(computeStatistics(features, project, at).avgTimeToProdCurrentWindow).toBe(3.5);
    expect(computeLeadTime([entry(old, { production: 9.5 })], project).projectAverage).toBe(0.1);
  });
});

test('A summary counts features by stage, and averages the days in it, until now for those that are still in it', () => {
  const features = [feature({ created: 10, live: 4 }), feature({ created: 2 }), feature({ created: 20, archived: 12 })];
  expect(summarizeLifecycle(features, at)).toEqual({
    initial: { averageDays: 5.3, currentFlags: 1 },
    preLive: { averageDays: null, currentFlags: 0 },
    live: { averageDays: 4, currentFlags: 1 },
    completed: { averageDays: null, currentFlags: 0 },
    archived: { currentFlags: 1, last30Days: 1 },
  });
});
