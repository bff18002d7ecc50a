import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { queryAll, readItem } from '../../../lib/table/read.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transact.ts';
import { freshTable } from '../../harness/table.ts';

const key = { pk: 'THING', sk: 'THING' };
let table: Table;
beforeAll(async () => {
  table = await freshTable();
});

describe('what is stored', () => {
  const attribute = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
  );
  const name = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `a${text}`);

  test('is read as it was written, by its key and with its partition', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, attribute, { maxKeys: 6, noNullPrototype: true }), async (item) => {
        await transact(table, [{ put: key, item }], undefined);
        expect(await readItem(table, key)).toEqual({ ...item, ...key });
        expect(await queryAll(table, { pk: key.pk })).toEqual([{ ...item, ...key }]);
      }),
      { numRuns: 40 },
    );
  });

  test('is without what is undefined', async () => {
    await transact(table, [{ put: key, item: { left: 1, out: undefined } }], undefined);
    expect(await readItem(table, key)).toEqual({ left: 1, ...key });
  });
});

test("a refused transaction gives the store's reasons, in the order of its writes", async () => {
  const put = (sk: string, condition?: string) => ({
    Put: { TableName: table.name, Item: { pk: 'REFUSED', sk }, ...(condition && { ConditionExpression: condition }) },
  });
  const command = new TransactWriteCommand({ TransactItems: [put('a'), put('b', 'attribute_exists(pk)')] });
  const error = await table.client.send(command).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TransactionCanceledException);
  const { CancellationReasons = [], $metadata } = error as TransactionCanceledException;
  expect(CancellationReasons.map(({ Code }) => Code)).toEqual(['None', 'ConditionalCheckFailed']);
  expect($metadata).toMatchObject({ httpStatusCode: 400, attempts: 1 });
});
