import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { buildCreateTableInput } from '../../../lib/store/client/tables.ts';
import type { WriterJob, WriterWord } from './store-kills.ts';

/** A process that writes to an embedded store until it is killed, and tells of all that the store acknowledges. */

const say = (word: WriterWord) => process.send?.(word);
const hands = 16;

process.once('message', async ({ file, durability, life }: WriterJob) => {
  tellOfFlushes();
  const { openSqliteStore } = await import('../../../infra/local/sqlite/sqlite-store.ts');
  const store = await openSqliteStore(file, { durability });
  const TableName = 'table';

  const raise = (pk: string, sk: string) => ({
    TableName,
    Key: { pk: { S: pk }, sk: { S: sk } },
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  });

  async function writeOn(hand: number): Promise<void> {
    // As requests do, whose replies wait for the disk in place of the answers.
    const isEarly = hand % 2 === 1;
    for (let number = 0; ; ) {
      const sk = { S: `${life}-${hand}-${number}` };
      // As real ones take a number first, which the disk may not have when it is answered.
      if ((await store.answer('UpdateItem', raise('taken', 'n'), { mayBeLost: true })).status !== 200) continue;
      const TransactItems = [
        { Put: { TableName, Item: { pk: { S: 'first' }, sk } } },
        { Update: raise('counter', String(hand)) },
        { Put: { TableName, Item: { pk: { S: 'second' }, sk } } },
      ];
      const { status, body } = await store.answer('TransactWriteItems', { TransactItems }, { isEarly });
      if (isEarly) await store.awaitDurable();
      const why = JSON.stringify(body);
      // The same one again: had the store kept it all the same, its counter would be one too high.
      if (why.includes('#ThrottlingException"')) {
        say({ is: 'throttled' });
        continue;
      }
      say(status === 200 ? { is: 'acknowledged', id: sk.S } : { is: 'refused', why });
      number += 1;
    }
  }

  await store.answer('CreateTable', buildCreateTableInput(TableName));
  await Promise.all(Array.from({ length: hands }, (_, hand) => writeOn(hand)));
});

/** Tells of what was in the log of the store when a flush began that has ended. */
function tellOfFlushes(): void {
  const flush = fs.fdatasync;
  fs.fdatasync = ((file, callback) => {
    const { size } = fs.fstatSync(file);
    flush(file, (error) => {
      if (error === null) say({ is: 'flushed', size });
      callback(error);
    });
  }) as typeof flush;
  syncBuiltinESMExports();
}
