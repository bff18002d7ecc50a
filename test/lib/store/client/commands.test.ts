import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import * as documents from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Request } from '../../../../lib/request.ts';
import { environmentRequest } from '../../../../lib/request.ts';
import { batchGet, query, transactWrite, updateItem } from '../../../../lib/store/client/commands.ts';
import * as keys from '../../../../lib/store/keys.ts';
import { queryAll, readItem } from '../../../../lib/store/read.ts';
import { raiseCounter, transact } from '../../../../lib/store/transactions/transact.ts';
import { codePoint } from '../../../harness/code-point.ts';
import { listeningInTest } from '../../../harness/listening.ts';
import { sharedTable } from '../../../specifications/specify.ts';

const key = { pk: 'THING', sk: 'THING' };
const table = sharedTable();

describe('what is stored', () => {
  const attribute = fc.oneof(
    fc.string({ unit: codePoint }),
    fc.json(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
  );
  // The keys of indexes are of one type each, so that none of them may be made here.
  const name = fc.string({ minLength: 1, maxLength: 20 }).map((text) => `_${text}`);

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
    Put: {
      TableName: table.store.name,
      Item: { pk: 'REFUSED', sk },
      ...(condition && { ConditionExpression: condition }),
    },
  });
  const command = transactWrite({ TransactItems: [put('a'), put('b', 'attribute_exists(pk)')] });
  const error = await table.store.client.send(command).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TransactionCanceledException);
  const { CancellationReasons = [], $metadata } = error as TransactionCanceledException;
  expect(CancellationReasons.map(({ Code }) => Code)).toEqual(['None', 'ConditionalCheckFailed']);
  expect($metadata).toMatchObject({ httpStatusCode: 400 });
});

test('an item with an attribute of a type that nothing here writes is not read as another one', async () => {
  const item = { pk: { S: 'FOREIGN' }, sk: { S: 'LIST' }, list: { L: [{ S: 'a' }] } };
  const foreign = await storeThat((response) =>
    response.end(JSON.stringify({ Responses: { [foreign.table.store.name]: [item] } })),
  );
  await expect(readItem(foreign.table, { pk: 'FOREIGN', sk: 'LIST' })).rejects.toThrow('"list" is of the type L');
});

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A store that keeps what it receives, and answers by `answer`. */
async function storeThat(answer: (response: ServerResponse, count: number) => void) {
  const received: Received[] = [];
  const endpoint = await listeningInTest(async (request, response) => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, body: JSON.parse((await Array.fromAsync(request)).join('')) });
    answer(response, received.length);
  });
  const identity = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-central-1' };
  for (const [name, value] of Object.entries({ ...identity, DYNAMODB_ENDPOINT: endpoint })) vi.stubEnv(name, value);
  return { endpoint, received, table: environmentRequest() };
}

describe('a command', () => {
  const TableName = 'flags';
  const Key = { pk: 'a', sk: 'b' };
  const values = { ExpressionAttributeValues: { ':text': 'x', ':number': 1.5, ':none': null, ':no': false } };
  const put = { TableName, Item: { ...Key, text: 'ü', left: undefined }, ConditionExpression: 'x = :text', ...values };
  const actions = [
    { Put: put },
    { Update: { TableName, Key, UpdateExpression: 'ADD x :number', ...values } },
    { Delete: { TableName, Key } },
    { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
  ];
  const batch = { RequestItems: { flags: { Keys: [Key, { pk: 'a', sk: 'c' }], ConsistentRead: true } } };
  const search = { TableName, KeyConditionExpression: 'pk = :text', ...values, ExclusiveStartKey: Key, Limit: 3 };
  const raise = { TableName, Key, UpdateExpression: 'ADD x :number', ...values };
  const write = { TransactItems: actions, ClientRequestToken: '1' };

  type Send = (client: Request['store']['client']) => Promise<unknown>;

  test.each<[string, Send, Send]>([
    ['BatchGetItem', (to) => to.send(batchGet(batch)), (to) => to.send(new documents.BatchGetCommand(batch))],
    ['Query', (to) => to.send(query(search)), (to) => to.send(new documents.QueryCommand(search))],
    [
      'TransactWriteItems',
      (to) => to.send(transactWrite(write)),
      (to) => to.send(new documents.TransactWriteCommand(write)),
    ],
    ['UpdateItem', (to) => to.send(updateItem(raise)), (to) => to.send(new documents.UpdateCommand(raise))],
  ])("%s goes out as the SDK's own does", async (name, send, sendByTheSdk) => {
    const store = await storeThat((response) => response.end('{}'));
    const plain = new DynamoDBClient({ endpoint: store.endpoint, region: 'eu-central-1' });
    const marshallOptions = { removeUndefinedValues: true };
    await sendByTheSdk(documents.DynamoDBDocumentClient.from(plain, { marshallOptions }));
    // Twice, since the second request finds what the first has remembered.
    await send(store.table.store.client);
    await send(store.table.store.client);
    const [expected, ...received] = store.received.map(({ headers, ...rest }) => {
      const { host, 'content-type': type, 'content-length': length, 'x-amz-target': target, authorization } = headers;
      return { ...rest, host, type, length, target, scope: authorization?.replace(/, .*/, '') };
    });
    expect(received).toEqual([expected, expected]);
    expect(expected).toMatchObject({ target: `DynamoDB_20120810.${name}` });
  });

  test("is signed by the store's clock where that of this machine is wrong", async () => {
    const now = new Date(Date.now() + 3_600_000);
    const wrong = JSON.stringify({ __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'expired' });
    const { received, table } = await storeThat((response, count) => {
      response.setHeader('date', now.toUTCString());
      response.writeHead(count === 1 ? 400 : 200).end(count === 1 ? wrong : '{}');
    });
    await expect(readItem(table, keys.seeded())).resolves.toBeUndefined();
    const hours = received.map(({ headers }) => String(headers['x-amz-date']).slice(0, 11));
    expect(hours[1]).toBe(now.toISOString().replaceAll(/[-:]/g, '').slice(0, 11));
    expect(hours[0]).not.toBe(hours[1]);
  });

  test('is sent again after an answer that is no JSON, as one of a proxy', async () => {
    const { received, table } = await storeThat((response, count) => {
      if (count < 3) response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
      else response.end(JSON.stringify({ Attributes: { value: { N: '7' } } }));
    });
    await expect(raiseCounter(table, keys.counter('event'), 1)).resolves.toBe(7);
    expect(received).toHaveLength(3);
  });
});
