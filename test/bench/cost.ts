import { type CommandLine, runCommand, type Verdict } from '../../infra/commands/command.ts';
import { underStoreRules } from '../harness/store-rules.ts';
import { World } from '../harness/world.ts';
import { synthesize } from '../infra/synthesize.ts';
import { resourcesOf } from '../infra/template.ts';
import { openService, openStore } from '../prove/service.ts';
import { loadSpecifications } from '../specifications/load.ts';
import { atRest, atRestMax, dollarsAtRest } from './cost/at-rest.ts';
import { excessOf } from './cost/budgets.ts';
import { printAtRest, printMonths, printRows } from './cost/print.ts';
import { askedFirstRows, bulkRows, otherRows, typicalRows } from './cost/scenarios.ts';

const help = `Shows what each operation asks of the store, by the store's own figures, beside its budget, and what that costs on AWS;
then what the stack costs at rest, by its templates.
Ends with PASS, or with FAIL and 1 when a budget is not kept.

  npm run bench:cost -- [OPTIONS]

  --quick       bulk work on at most 100 features instead of 1,000
  -h, --help    this text`;

const options = { quick: { type: 'boolean', default: false } } as const;

async function bench({ values }: CommandLine<typeof options>): Promise<Verdict> {
  await using _store = await openStore();
  // Large imports are measured, too; a deployed service takes them once its limit is raised.
  process.env.IMPORT_BODY_LIMIT_BYTES = '1000000';
  const specifications = await loadSpecifications();
  const world = new World(await openService());
  // What conflicts is sent again, and costs again.
  using _rules = underStoreRules(world.service.table, { halfVisible: false });
  const typical = await typicalRows(world, specifications);
  const rows = [
    ...typical,
    ...(await otherRows(world, specifications)),
    ...(await askedFirstRows(world)),
    ...(await bulkRows(world, values.quick ? [10, 100] : [10, 30, 100, 300, 1_000])),
  ];
  printRows(rows);
  printMonths(typical);
  const resting = atRest([...resourcesOf(synthesize().whole).values()]);
  printAtRest(resting);
  const excess = rows.flatMap(excessOf);
  if (dollarsAtRest(resting) > atRestMax) excess.push(`at rest more than $${atRestMax} a month`);
  for (const line of excess) console.log(`MISSED: ${line}`);
  const budgets = excess.length === 0 ? 'all within their budgets' : `${excess.length} budgets missed`;
  return { passed: excess.length === 0, summary: `${rows.length} rows, ${budgets}.` };
}

await runCommand({ name: 'bench:cost', help, options, run: bench });
