import { parseArgs } from 'node:util';
import { typicalSeed } from '../harness/typical-calls.ts';
import { openService, openStore } from '../prove/service.ts';
import { excessOf } from './cost/budgets.ts';
import { printMonths, printRows } from './cost/print.ts';
import { askedFirstRows, bulkRows, typicalRows } from './cost/scenarios.ts';

/**
 * Tells what each operation asks of the store, by the store's own figures, and what that costs on AWS. Ends with 1 where
 * a budget is not kept.
 *
 *     npm run bench:cost [-- --quick]
 */
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });

await using _store = await openStore();
// Large imports are measured, too; a deployed service takes them once its limit is raised.
process.env.IMPORT_BODY_LIMIT_BYTES = '1000000';
const service = await openService(typicalSeed);

const typical = await typicalRows(service);
const rows = [
  ...typical,
  ...(await askedFirstRows(service)),
  ...(await bulkRows(service, values.quick ? [10, 100] : [10, 30, 100, 300, 1_000])),
];
printRows(rows);
printMonths(typical);

const excess = rows.flatMap(excessOf);
for (const line of excess) console.log(`MISSED: ${line}`);
if (excess.length > 0) process.exitCode = 1;
