import { describe, expect, test } from 'vitest';
import { clockWork, runClock } from '../../../lib/clock/clock.ts';
import * as historyKeys from '../../../lib/history/keys.ts';
import { recordAlarm } from '../../../lib/safeguards/alarm-evidence.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { recordFinishedWeeks } from '../../../lib/trends/record-trends.ts';
import { endlessTime } from '../../../lib/values/time-budget.ts';
import { budgetOf } from '../../harness/budgets-of-time.ts';
import { readState } from '../../harness/features.ts';
import { makePlanned } from '../../harness/release-plans.ts';
import type { MadeFeature, World } from '../../harness/world.ts';
import { worldForEach } from '../../specifications/specify.ts';

const alarm = 'shop-errors';
const safeguard = {
  impactMetric: { metricName: `alarm:${alarm}`, timeRange: 'hour', aggregationMode: 'count' },
  triggerCondition: { operator: '>', threshold: 0 },
};

/** Lets features be switched off while the alarm is on. */
async function guard(world: World, features: readonly Pick<MadeFeature, 'place'>[]) {
  for (const { place } of features) {
    const path = `/api/admin/projects/${place.projectId}/features/${place.featureName}/environments/${place.environment}`;
    await world.ask('PUT', `${path}/safeguards`, safeguard);
  }
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

describe('A call of the clock that has too little time', () => {
  const { service, world } = worldForEach();

  const raiseAlarm = () =>
    recordAlarm(service.table, { alarm, state: 'ALARM', at: inMinutes(1).toISOString(), reason: 'Errors' });
  const countOn = async (features: readonly MadeFeature[]) => {
    const states = await Promise.all(features.map(({ name }) => readState(service, name)));
    return states.filter(({ enabled }) => enabled).length;
  };

  test('does a part of each kind of work, and the next calls continue', async () => {
    const features = await world.features(25, { on: true });
    await guard(world, features);
    const planned = await Promise.all(Array.from({ length: 12 }, () => makePlanned(world)));
    const countWaiting = async () => {
      const states = await Promise.all(planned.map(({ name }) => readState(service, name)));
      return states.filter(({ releasePlans: [plan] }) => plan.nextAt !== null).length;
    };
    await raiseAlarm();
    const left: [number, number, boolean][] = [];
    for (let call = 0; call < 4; call += 1) {
      const isComplete = await runClock(service.table, inMinutes(90), budgetOf(0));
      left.push([await countOn(features), await countWaiting(), isComplete]);
    }
    expect(left.slice(0, 2)).toEqual([
      [15, 2, false],
      [5, 0, false],
    ]);
    expect(left[3]).toEqual([0, 0, true]);
  });

  test('gives unfinished work the time that other work did not need', async () => {
    const features = await world.features(45, { on: true });
    await guard(world, features);
    await raiseAlarm();
    const isComplete = await runClock(service.table, inMinutes(2), budgetOf(60));
    expect([await countOn(features), isComplete]).toEqual([0, true]);
  });

  test('starts no milestone whose safeguard has evidence against it', async () => {
    const { name, place } = await makePlanned(world);
    await guard(world, [{ place }]);
    await raiseAlarm();
    const milestones = clockWork.find((work) => work.name === 'milestones');
    await milestones?.run(service.table, inMinutes(90), endlessTime);
    const { enabled, releasePlans } = await readState(service, name);
    expect([enabled, releasePlans[0].milestones[1].startedAt]).toEqual([false, undefined]);
  });

  test('seals what it has read, and the next call seals the rest', async () => {
    await world.features(3);
    const countOfSeals = async () => (await queryAll(service.table, historyKeys.seals())).length;
    expect(await runClock(service.table, inMinutes(3), budgetOf(0))).toBe(false);
    expect(await countOfSeals()).toBe(1);
    expect(await runClock(service.table, inMinutes(3), budgetOf(0))).toBe(true);
    expect(await countOfSeals()).toBe(1);
  });

  test('records some finished weeks of the trends, and the next call records the others', async () => {
    await world.features(1);
    const weeks = (count: number) => inMinutes(count * 7 * 24 * 60);
    await service.get('/api/admin/insights');
    const calls = [];
    for (let call = 0; call < 4; call += 1) calls.push(await recordFinishedWeeks(service.table, weeks(2), budgetOf(0)));
    expect(calls.at(0)).toBe(false);
    expect(calls.at(-1)).toBe(true);
  });
});
