import { atMost, type BarVerdict, switchMax } from './bars.ts';
import { importCall, rolloutStrategy } from './bodies.ts';
import { type GrowthPlan, inLanes, type Lane } from './growth.ts';
import { startMeasuredServer } from './local-server.ts';
import { sampleOf } from './measure.ts';
import { freshNames, times } from './names.ts';
import type { MeasuredServer } from './server.ts';
import { bulkOff } from './writes.ts';

/** Numbers of strategies of the features that are switched off. */
const strategyCounts = [1, 30];

/**
 * Measures whether switching gets dearer with the strategies of a feature, on one server, taking turns. Between the timed
 * calls the features are switched on again by an import.
 */
export async function measureSwitching({ turns, callsPerTurn }: GrowthPlan): Promise<BarVerdict[]> {
  await using local = await startMeasuredServer({ store: 'memory' });
  const lanes = strategyCounts.map((count) => laneOf(local.server, count, callsPerTurn));
  const { p50, ratio } = await inLanes(lanes, turns, switchMax);
  const halves = p50.map((milliseconds, index) => `${milliseconds.toFixed(2)} ms with ${strategyCounts[index]}`);
  return [atMost(ratio, switchMax, `p50 ${halves.join(', ')} strategies, most to fewest`, '×')];
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
