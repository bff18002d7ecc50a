import { atMost, switchMax } from './bars.ts';
import { importCall, rolloutStrategy } from './bodies.ts';
import { type Growth, type GrowthPlan, inLanes, type Lane } from './growth.ts';
import { startMeasuredServer } from './local-server.ts';
import { sampleOf } from './measure.ts';
import { freshNames, times } from './names.ts';
import type { MeasuredServer } from './server.ts';
import { bulkOff } from './writes.ts';

/** Numbers of strategies of the features that are switched off. */
export const strategyCounts = [1, 30] as const;

/**
 * Measures whether switching gets dearer with the strategies of a feature, on one server, taking turns. Between the timed
 * calls the features are switched on again by an import.
 */
export async function measureSwitching(name: string, { turns, callsPerTurn }: GrowthPlan): Promise<Growth> {
  await using local = await startMeasuredServer({ store: 'memory' });
  const lanes = strategyCounts.map((count) => laneOf(local.server, count, callsPerTurn));
  const { p50, ratio } = await inLanes(lanes, turns, switchMax);
  return { name, p50, verdict: atMost(ratio, switchMax, 'most to fewest', '×') };
}

function laneOf(server: MeasuredServer, count: number, calls: number): Lane {
  const features = freshNames(calls).map((name) => ({
    name,
    enabled: true,
    strategies: times(count, rolloutStrategy),
  }));
  const prepare = async () => {
    for (const feature of features) await server.send(importCall([feature]));
    return features.map(({ name }) => bulkOff([name]));
  };
  return () => sampleOf(server, { prepare }, 1, calls);
}
