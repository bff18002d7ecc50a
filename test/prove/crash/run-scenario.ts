import { type DeathReport, deathsIn, tryDeath } from './deaths.ts';
import { problemLines, rowOf } from './matrix.ts';
import { type CrashPlan, crashPlanOf } from './plan.ts';
import { type Death, ordinalOf } from './protocol.ts';
import type { Scenario } from './scenarios.ts';
import { type Equipment, keyHeaders, setStage } from './stage.ts';

/**
 * Tries all deaths of a scenario, prints a line for each thing that can die, and a line for each problem. With `quick`,
 * tries only those of the process at transactions, and of the store at the last one.
 */
export async function runScenario(
  equipment: Equipment,
  { operationId, title, prepare, isSecret }: Scenario,
  { isKeyed, quick }: { readonly isKeyed: boolean; readonly quick: boolean },
): Promise<DeathReport[]> {
  const name = `${operationId}: ${title}${isKeyed ? ', with a key' : ''}`;
  const stage = await setStage(equipment, prepare, keyHeaders(isKeyed));
  const plan = await crashPlanOf(stage, { title: name, isKeyed, isSecret });
  const all: DeathReport[] = [];
  for (const victim of equipment.store.victims) {
    const reports: DeathReport[] = [];
    for (const death of deathsIn(plan, victim).filter((each) => !quick || matters(plan, each))) {
      reports.push(await tryDeath(stage, plan, death));
    }
    console.log(rowOf(name, victim, plan, reports));
    for (const line of reports.flatMap((report) => problemLines(name, report))) console.log(line);
    all.push(...reports);
  }
  return all;
}

/** Tells whether a death matters: at each transaction to a process, and at the last call of all to a store. */
function matters({ calls }: CrashPlan, { victim, call, place }: Death): boolean {
  if (victim === 'process') return call === 'TransactWriteItems';
  return call === calls.at(-1) && place === ordinalOf(calls);
}
