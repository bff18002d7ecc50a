import type { Verdict } from '../../../infra/commands/command.ts';
import { underStoreRules } from '../../harness/store-rules.ts';
import { World } from '../../harness/world.ts';
import { synthesize } from '../../infra/synthesize.ts';
import { resourcesOf } from '../../infra/template.ts';
import { openMemoryStore, openService } from '../../prove/service.ts';
import { loadSpecifications } from '../../specifications/load.ts';
import { atRest, atRestMax, dollarsAtRest } from './at-rest.ts';
import { excessOf } from './budgets.ts';
import { deliveryCosts, excessOfDeliveries } from './deliveries.ts';
import { boundsOf, floodHour, floodMax } from './flood.ts';
import { impactCosts, impactMetricsMax } from './impact-metrics.ts';
import {
  printAtRest,
  printDeliveries,
  printFloods,
  printImpactCosts,
  printMonths,
  printRows,
  printRunningPlans,
  printSafeguardCosts,
  printSamlCosts,
  printSdkMonths,
} from './print.ts';
import { excessOfPlans, runningPlansCost } from './running-plans.ts';
import { safeguardCosts, safeguardDollarsMax } from './safeguards.ts';
import { samlCosts, samlMsMax } from './saml.ts';
import { askedFirstRows, bulkRows, memberRows, type SpecifiedRows, specifiedRows } from './scenarios.ts';
import { monthlyTotal, sdkCostOf } from './sdk-months.ts';

/** Measures all rows, prints them, and says whether all are within their budgets. */
export async function bench({ quick }: { readonly quick: boolean }): Promise<Verdict> {
  await using _store = await openMemoryStore();
  // Large imports are measured, too; a deployed service takes them once its limit is raised.
  process.env.IMPORT_BODY_LIMIT_BYTES = '1000000';
  const specifications = await loadSpecifications();
  const specified: SpecifiedRows[] = [];
  for (const each of specifications) specified.push(await inFreshWorld((world) => specifiedRows(world, each)));
  const typical = specified.flatMap((each) => each.typical);
  const rows = [
    ...typical,
    ...specified.flatMap((each) => each.others),
    ...(await inFreshWorld(askedFirstRows)),
    ...(await inFreshWorld((world) => memberRows(world, quick ? 100 : 1_000))),
    ...(await inFreshWorld((world) => bulkRows(world, quick ? [10, 100] : [10, 30, 100, 300, 1_000]))),
  ];
  printRows(rows);
  printMonths(typical);
  printSdkMonths(await inFreshWorld(({ service }) => sdkCostOf(service, quick ? 100 : 1_000)));
  const ofImpact = await impactCosts(openService);
  printImpactCosts(ofImpact);
  const ofSafeguards = await safeguardCosts(inFreshWorld);
  printSafeguardCosts(ofSafeguards);
  const ofPlans = await inFreshWorld(runningPlansCost);
  printRunningPlans(ofPlans);
  const sent = await inFreshWorld(({ service }) => deliveryCosts(service));
  printDeliveries(sent);
  const resting = atRest([...resourcesOf(synthesize().whole).values()]);
  printAtRest(resting);
  printFloods();
  const ofSaml = await inFreshWorld(({ service }) => samlCosts(service));
  printSamlCosts(ofSaml);
  const excess = [...rows.flatMap(excessOf), ...excessOfPlans(ofPlans), ...excessOfDeliveries(sent)];
  if (!(ofImpact[0] && ofImpact[0].dollars <= impactMetricsMax))
    excess.push(`impact metrics of 20 instances more than $${impactMetricsMax} a month`);
  for (const { title, dollars } of ofSafeguards) {
    const max = title === 'no safeguard' ? 0 : safeguardDollarsMax;
    if (monthlyTotal(dollars) > max) excess.push(`a hundred plans with ${title} more than $${max} a month`);
  }
  if (dollarsAtRest(resting) > atRestMax) excess.push(`at rest more than $${atRestMax} a month`);
  if (monthlyTotal(floodHour(boundsOf(synthesize().whole))) > floodMax)
    excess.push(`a flood more than $${floodMax} an hour`);
  for (const [content, ms] of ofSaml)
    if (ms > samlMsMax) excess.push(`a SAML response with ${content} more than ${samlMsMax} ms`);
  for (const line of excess) console.log(`MISSED: ${line}`);
  const budgets = excess.length === 0 ? 'all within their budgets' : `${excess.length} budgets missed`;
  return { passed: excess.length === 0, summary: `${rows.length} rows, ${budgets}.` };
}

/** Measures each operation on a store of its own, since some read all that there is. */
async function inFreshWorld<T>(measure: (world: World) => Promise<T>): Promise<T> {
  const world = new World(await openService());
  // A conflicting request is sent again, and costs again.
  using _rules = underStoreRules(world.service.table, { halfVisible: false });
  return await measure(world);
}
