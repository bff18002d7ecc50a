import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Request } from '../../../lib/request.ts';
import { batchGet, query, transactWrite } from '../../../lib/store/client/commands.ts';
import { openMemoryStore, openService } from '../../prove/service.ts';
import { medianOf } from '../fresh-process.ts';
import { atLeast, type BarVerdict, leanRatioMin } from './bars.ts';
import { times } from './names.ts';

/** Number of turns of each client, and of requests per turn. */
const turns = 15;
const requestsATurn = 40;

/** A request by each of the two clients. */
interface Measured {
  readonly name: string;
  readonly lean: () => Promise<unknown>;
  readonly plain: () => Promise<unknown>;
}

/**
 * Measures the processor time of a request with the steps of lib/store, and with the SDK's document client as it comes, in
 * turns. It is that of this process: the store is another one.
 */
export async function* measureStoreClient(): AsyncGenerator<BarVerdict> {
  await using _store = await openMemoryStore();
  const { table } = await openService();
  // With connections that are kept, as the table's: setting them up would be most of the time.
  const plain = new DynamoDBClient({
    endpoint: process.env.DYNAMODB_ENDPOINT ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    requestHandler: { httpAgent: new Agent({ keepAlive: true }) },
  });
  for (const request of requestsOf(table, DynamoDBDocumentClient.from(plain))) yield await verdictOf(request);
  plain.destroy();
}

async function verdictOf({ name, lean, plain }: Measured): Promise<BarVerdict> {
  const samples = { lean: [] as number[], plain: [] as number[] };
  for (const turn of times(turns + 1, (each) => each)) {
    const [ours, theirs] = [await microseconds(lean), await microseconds(plain)];
    // The first turn compiles what it does.
    if (turn === 0) continue;
    samples.lean.push(ours);
    samples.plain.push(theirs);
  }
  const [ours, theirs] = [medianOf(samples.lean), medianOf(samples.plain)];
  const ratio = medianOf(samples.plain.map((each, turn) => each / (samples.lean[turn] ?? Number.NaN)));
  return atLeast(
    ratio,
    leanRatioMin,
    `${name}: ${theirs.toFixed(0)} µs by the SDK's own steps, ${ours.toFixed(0)} by ours,`,
    '×',
  );
}

async function microseconds(send: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (const _request of times(requestsATurn, (each) => each)) await send();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / requestsATurn;
}

/** Returns requests of the size and the kind that a change of a feature makes. */
function requestsOf({ store: { name: TableName, client } }: Request, document: DynamoDBDocumentClient): Measured[] {
  const attributes = Object.fromEntries(times(15, (index) => [`attribute${index}`, 'x'.repeat(40)]));
  const Keys = times(4, (index) => ({ pk: 'BENCH', sk: String(index) }));
  const write = (): TransactWriteCommandInput => ({
    ClientRequestToken: randomUUID(),
    TransactItems: Keys.map((key) => ({ Put: { TableName, Item: { ...key, ...attributes } } })),
    ReturnConsumedCapacity: 'TOTAL',
  });
  const read: BatchGetCommandInput = { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } };
  const list: QueryCommandInput = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': 'BENCH' },
  };
  return [
    {
      name: 'transaction of 4 items',
      lean: () => client.send(transactWrite(write())),
      plain: () => document.send(new TransactWriteCommand(write())),
    },
    {
      name: 'read of 4 items',
      lean: () => client.send(batchGet(read)),
      plain: () => document.send(new BatchGetCommand(read)),
    },
    {
      name: 'query of 4 items',
      lean: () => client.send(query(list)),
      plain: () => document.send(new QueryCommand(list)),
    },
  ];
}
