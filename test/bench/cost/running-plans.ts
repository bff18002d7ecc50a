import { memoryMegabytes } from '../../../infra/endpoint-function.ts';
import { millionGigabyteMilliseconds, prices } from '../../../infra/prices.ts';
import { isAnythingWaiting, runClock } from '../../../lib/clock/clock.ts';
import type { World } from '../../harness/world.ts';
import { type Cost, costOf } from './measure.ts';
import { type Dollars, monthlyTotal } from './sdk-months.ts';

/** The plans that run at the same time, and the milestones of each that start by themselves in a month. */
export const runningPlans = 100;
const startsOfPlan = 3;
/** The most that they may cost in US dollars a month. While no milestone waits for its time, the clock is off, and they cost nothing. */
export const runningPlansMax = 0.5;

/** Assumed figures of a call of the clock, which cannot be measured here. */
export const assumedOfClock = { milliseconds: 40, bytesLogged: 400 };

const minutesOfMonth = 43_800;
const intervalMinutes = 10_080;

/** The cost of the clock at the store. */
export interface ClockCost {
  /** The cost of a minute in which nothing is due. */
  readonly idle: Cost;
  /** The further units of a minute in which the milestone of one plan is due. */
  readonly start: Pick<Cost, 'readUnits' | 'writeUnits'>;
}

/** Measures, at the store, a minute of the clock while many plans run, and the start of a milestone. */
export async function runningPlansCost(world: World): Promise<ClockCost> {
  const { table } = world.service;
  const strategies = [{ name: 'flexibleRollout', parameters: { rollout: '50', groupId: '{{featureName}}' } }];
  const milestones = [
    { name: 'First', strategies, transitionCondition: { intervalMinutes } },
    { name: 'Last', strategies },
  ];
  const { body } = await world.ask('POST', '/api/admin/release-plan-templates', { name: 'Two steps', milestones });
  const features = await world.features(runningPlans, { on: true });
  const give = ({ projectId, featureName, environment }: (typeof features)[number]['place']) => {
    const path = `/api/admin/projects/${projectId}/features/${featureName}/environments/${environment}/release-plans`;
    return world.ask('POST', path, { templateId: body.id });
  };
  const tick = (now: Date) =>
    costOf(table, async () => {
      await runClock(table, now);
      await isAnythingWaiting(table);
    });
  const later = new Date(Date.now() + 2 * intervalMinutes * 60_000);
  const [first, ...others] = features;
  if (first !== undefined) await give(first.place);
  const due = await tick(later);
  for (const { place } of others) await give(place);
  const idle = await tick(new Date());
  const start = { readUnits: due.readUnits - idle.readUnits, writeUnits: due.writeUnits - idle.writeUnits };
  return { idle, start };
}

/** Returns the cost of the plans in a month. */
export function runningPlansMonth({ idle, start }: ClockCost): Dollars {
  const { milliseconds, bytesLogged } = assumedOfClock;
  const [calls, starts] = [minutesOfMonth / 1e6, (runningPlans * startsOfPlan) / 1e6];
  return {
    calls: calls * prices.millionFunctionRequests,
    'processor time':
      calls * ((milliseconds * memoryMegabytes) / 1024) * millionGigabyteMilliseconds({ architecture: 'arm64' }),
    reads: (calls * idle.readUnits + starts * start.readUnits) * prices.millionReadUnits,
    writes: (calls * idle.writeUnits + starts * start.writeUnits) * prices.millionWriteUnits,
    logs: (calls * bytesLogged * prices.gigabyteLogged) / 1_000,
  };
}

/** Returns the budgets that are missed. */
export function excessOfPlans(cost: ClockCost): string[] {
  const dollars = monthlyTotal(runningPlansMonth(cost));
  return dollars > runningPlansMax ? [`${runningPlans} running plans more than $${runningPlansMax} a month`] : [];
}
