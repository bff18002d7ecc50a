import { describe, expect, test } from 'vitest';
import { clockWork, runClock } from '../../../lib/clock/clock.ts';
import * as featureKeys from '../../../lib/features/keys.ts';
import * as historyKeys from '../../../lib/history/keys.ts';
import { recordAlarm } from '../../../lib/safeguards/alarm-evidence.ts';
import { takeAlarm } from '../../../lib/safeguards/take-alarm.ts';
import { queryAll } from '../../../lib/store/read.ts';
import { transact } from '../../../lib/store/transactions/transact.ts';
import { recordFinishedWeeks } from '../../../lib/trends/record-trends.ts';
import { chunksOf } from '../../../lib/values/lists.ts';
import { endlessTime } from '../../../lib/values/time-budget.ts';
import { readState } from '../../harness/features.ts';
import { makePlanned } from '../../harness/release-plans.ts';
import { createTimeBudget } from '../../harness/time-budget.ts';
import { worldForEach } from '../../specifications/specify.ts';

const alarm = 'shop-errors';
const safeguard = {
  impactMetric: { metricName: `alarm:${alarm}`, timeRange: 'hour', aggregationMode: 'count' },
  triggerCondition: { operator: '>', threshold: 0 },
};

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

describe('A call of the clock that has too little time', () => {
  const { service, world } = worldForEach();

  /** Lists features without a safeguard for the safeguards, which remove them from the list. */
  const listForSafeguards = async (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `gone-${index}`);
    for (const some of chunksOf(names, 100)) {
      const puts = some.map((name) => ({ put: featureKeys.guarded('development', name), item: { since: '' } }));
      await transact(service.table, puts, undefined);
    }
  };
  const countListed = async () => (await queryAll(service.table, featureKeys.allGuarded())).length;

  test('does a part of each kind of work, and the next calls continue', async () => {
    await listForSafeguards(120);
    const planned = await Promise.all(Array.from({ length: 30 }, () => makePlanned(world)));
    const countWaiting = async () => {
      const states = await Promise.all(planned.map(({ name }) => readState(service, name)));
      return states.filter(({ releasePlans: [plan] }) => plan.nextAt !== null).length;
    };
    const left: [number, number, boolean][] = [];
    for (let call = 0; call < 4; call += 1) {
      const isComplete = await runClock(service.table, inMinutes(90), createTimeBudget(0));
      left.push([await countListed(), await countWaiting(), isComplete]);
    }
    expect(left.slice(0, 2)).toEqual([
      [70, 5, false],
      [20, 0, false],
    ]);
    expect(left[3]).toEqual([0, 0, true]);
  });

  test('gives unfinished work the time that other work did not need', async () => {
    await listForSafeguards(420);
    await runClock(service.table, new Date(), createTimeBudget(40));
    expect(await countListed()).toBe(0);
    await listForSafeguards(420);
    const [safeguards] = clockWork;
    await safeguards?.run(service.table, new Date(), createTimeBudget(40).partOf(clockWork.length));
    expect(await countListed()).toBeGreaterThan(0);
  });

  test('starts no milestone whose safeguard has evidence against it', async () => {
    const { name, place } = await makePlanned(world);
    const { projectId, featureName, environment } = place;
    const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}`;
    await world.ask('PUT', `${path}/safeguards`, safeguard);
    await recordAlarm(service.table, { alarm, state: 'ALARM', at: inMinutes(1).toISOString(), reason: 'Errors' });
    const milestones = clockWork.find((work) => work.name === 'milestones');
    await milestones?.run(service.table, inMinutes(90), endlessTime);
    const { enabled, releasePlans } = await readState(service, name);
    expect([enabled, releasePlans[0].milestones[1].startedAt]).toEqual([false, undefined]);
  });

  test('does not keep an alarm from safeguards that it has just looked at', async () => {
    const { name, place } = await makePlanned(world);
    const { projectId, featureName, environment } = place;
    const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}`;
    await world.ask('PUT', `${path}/safeguards`, safeguard);
    const later = Array.from({ length: 60 }, (_, index) => featureKeys.guarded('zone', `later-${index}`));
    const puts = later.map((put) => ({ put, item: { since: '' } }));
    await transact(service.table, puts, undefined);
    expect(await clockWork[0]?.run(service.table, new Date(), createTimeBudget(0))).toBe(false);
    const state = { value: 'ALARM', reason: 'Errors' } as const;
    const time = inMinutes(1).toISOString();
    await takeAlarm(service.table, {
      'detail-type': 'CloudWatch Alarm State Change',
      ...{ time, detail: { alarmName: alarm, state } },
    });
    expect((await readState(service, name)).enabled).toBe(false);
  });

  test('seals what it has read, and the next call seals the rest', async () => {
    await world.features(3);
    const countOfSeals = async () => (await queryAll(service.table, historyKeys.seals())).length;
    expect(await runClock(service.table, inMinutes(3), createTimeBudget(0))).toBe(false);
    expect(await countOfSeals()).toBe(1);
    expect(await runClock(service.table, inMinutes(3), createTimeBudget(0))).toBe(true);
    expect(await countOfSeals()).toBe(1);
  });

  test('records some finished weeks of the trends, and the next call records the others', async () => {
    await world.features(1);
    const weeks = (count: number) => inMinutes(count * 7 * 24 * 60);
    await service.get('/api/admin/insights');
    const calls = [];
    for (let call = 0; call < 4; call += 1)
      calls.push(await recordFinishedWeeks(service.table, weeks(2), createTimeBudget(0)));
    expect(calls.at(0)).toBe(false);
    expect(calls.at(-1)).toBe(true);
  });
});
