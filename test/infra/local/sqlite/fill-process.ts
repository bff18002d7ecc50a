import { openSqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { buildCreateTableInput } from '../../../../lib/store/client/tables.ts';
import { createAsk } from './create-ask.ts';

/** The result of this process, which writes large items until three were refused, and then reads all items. */
export interface FillResult {
  /** The sort keys of the items that were acknowledged. */
  readonly acknowledged: readonly string[];
  /** The statuses and messages of the refusals. */
  readonly refusals: readonly string[];
  /** The sort keys of the items that are stored at the end. */
  readonly stored: readonly string[];
}

const TableName = 'table';
const [file] = process.argv.slice(2);
const store = await openSqliteStore(file);
const ask = createAsk(store);
await ask('CreateTable', buildCreateTableInput(TableName));
const acknowledged: string[] = [];
const refusals: string[] = [];
for (let number = 0; refusals.length < 3; number += 1) {
  const sk = { S: String(number).padStart(3, '0') };
  const Item = { pk: { S: 'p' }, sk, text: { S: 'x'.repeat(50_000) } };
  const { status, message } = await ask('PutItem', { TableName, Item });
  if (status === 200) acknowledged.push(sk.S);
  else refusals.push(`${status} ${message}`);
}
const { Items } = await ask('Scan', { TableName });
const stored = Items.map(({ sk }: { sk: { S: string } }) => sk.S);
console.log(JSON.stringify({ acknowledged, refusals, stored } satisfies FillResult));
await store.close();
