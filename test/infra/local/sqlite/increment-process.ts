import { setTimeout as sleep } from 'node:timers/promises';
import { createAsk } from './create-ask.ts';

/** The job of this process: increments a counter repeatedly, on condition that it has not changed since it was read. */
export interface IncrementJob {
  readonly file: string;
  readonly TableName: string;
  readonly times: number;
}

process.once('message', async ({ file, TableName, times }: IncrementJob) => {
  const { openSqliteStore } = await import('../../../../infra/local/sqlite/sqlite-store.ts');
  const store = await openSqliteStore(file);
  const ask = createAsk(store);
  const Key = { pk: { S: 'counter' }, sk: { S: 'of all' } };

  async function increment(): Promise<boolean> {
    const { Item } = await ask('GetItem', { TableName, Key, ConsistentRead: true });
    const { status } = await ask('UpdateItem', {
      TableName,
      Key,
      UpdateExpression: 'ADD n :one',
      ConditionExpression: 'n = :n',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':n': Item.n },
    });
    return status === 200;
  }

  for (let done = 0; done < times; await sleep(0)) done += Number(await increment());
  await store.close();
  process.disconnect();
});
