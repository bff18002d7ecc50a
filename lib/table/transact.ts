import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { invalid } from '../errors.ts';
import { type Asker, ask } from './ask.ts';
import { gathered } from './gather.ts';
import type { Key } from './keys.ts';
import { LostRace } from './lost-race.ts';
import { mergeWrites } from './merge-writes.ts';
import type { Table } from './table.ts';
import { type Condition, transactionBytesMax, transactionWritesMax, type Write, writeBytes } from './write.ts';

/**
 * Carries out all of the writes or none, as the last or only transaction of a request.
 * @param result what the request results in then; its receipt keeps it, where it has one.
 * @throws ApiError 400 for more than a transaction holds; the `otherwise` of the first condition that failed, or LostRace when another writer was in the way.
 */
export async function transact(table: Table, writes: readonly Write[], result?: unknown): Promise<void> {
  if (writes.length === 0) return;
  const { receipt } = table;
  // In front, so that of several failed conditions it is the one that counts.
  await send(table, receipt === undefined ? writes : [receipt.resultWrite(result), ...writes]);
  receipt?.markWritten();
}

/**
 * As `transact`, for a request of several transactions.
 * @param names what it carries out; the receipt keeps them.
 */
export async function transactPart(table: Table, writes: readonly Write[], names: readonly string[]): Promise<void> {
  const { receipt } = table;
  await send(table, receipt === undefined ? writes : [receipt.partWrite(names), ...writes]);
}

async function send(table: Table, all: readonly Write[]): Promise<void> {
  const writes = mergeWrites(all);
  assertTransactionFits(writes);
  const command = new TransactWriteCommand({
    // The SDK repeats a request whose answer was lost with this same token, so that the store carries it out once.
    ClientRequestToken: randomUUID(),
    TransactItems: writes.map((write) => toAction(table.name, write)),
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    await ask([table], 'writeUnits', (options) => table.client.send(command, options));
  } catch (error) {
    throw error instanceof TransactionCanceledException ? meaningOf(error, writes) : error;
  }
}

function assertTransactionFits(writes: readonly Write[]): void {
  const bytes = writes.reduce((sum, write) => sum + writeBytes(write), 0);
  if (writes.length > transactionWritesMax || bytes > transactionBytesMax) {
    throw invalid(
      `The change would take ${writes.length} writes and ${bytes} bytes; the store carries out at most ` +
        `${transactionWritesMax} writes and ${transactionBytesMax} bytes together.`,
    );
  }
}

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function toAction(TableName: string, write: Write): Action {
  if ('add' in write) return { Update: { TableName, Key: write.add, ...addition(write.amounts) } };
  const condition = write.when === undefined ? {} : toExpression(write.when);
  if ('put' in write) return { Put: { TableName, Item: { ...write.put, ...write.item }, ...condition } };
  if ('remove' in write) return { Delete: { TableName, Key: write.remove, ...condition } };
  return { ConditionCheck: { TableName, Key: write.check, ...toExpression(write.when) } };
}

function toExpression(condition: Condition) {
  if (condition === 'absent') return { ConditionExpression: 'attribute_not_exists(pk)' };
  if (condition === 'present') return { ConditionExpression: 'attribute_exists(pk)' };
  if ('zero' in condition) {
    return {
      ConditionExpression: 'attribute_not_exists(#zero) OR #zero = :zero',
      ExpressionAttributeNames: { '#zero': condition.zero },
      ExpressionAttributeValues: { ':zero': 0 },
    };
  }
  return {
    // What release 0.1 wrote without a version counts as the first.
    ConditionExpression:
      condition.version === 1
        ? 'attribute_exists(pk) AND (attribute_not_exists(#version) OR #version = :version)'
        : '#version = :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': condition.version },
  };
}

function addition(amounts: Readonly<Record<string, number>>) {
  const entries = Object.entries(amounts).map(([name, amount], index) => ({ name, amount, index }));
  return {
    UpdateExpression: `ADD ${entries.map(({ index }) => `#n${index} :a${index}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(entries.map(({ name, index }) => [`#n${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(entries.map(({ amount, index }) => [`:a${index}`, amount])),
  };
}

/** The reasons stand in the order of the writes. A failed condition outweighs a conflict: it will not pass by itself. */
function meaningOf(error: TransactionCanceledException, writes: readonly Write[]): Error {
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const write = writes[failed];
  if (write !== undefined) {
    return 'otherwise' in write && write.otherwise !== undefined ? write.otherwise() : new LostRace();
  }
  // A conflict with another transaction, or a throttled part of this one: nothing was written, so it may be repeated.
  const passing = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
  return reasons.some(({ Code }) => Code !== undefined && passing.includes(Code)) ? new LostRace() : error;
}

/** By how much a counter is to be raised, and who asks. */
interface WantedRaise {
  readonly counter: Key;
  readonly amount: number;
  readonly asker: Asker;
}

const wantedRaise = gathered(raiseTogether, { kindOf: ({ counter }) => counter.pk });

/**
 * Raises a counter by `amount` and answers its new value, in one request, of which all who ask together get a part. A
 * repeated request leaves a gap.
 */
export function raiseCounter(table: Table, counter: Key, amount: number): Promise<number> {
  return wantedRaise(table, { counter, amount, asker: table });
}

async function raiseTogether({ name, client }: Table, alike: readonly WantedRaise[]): Promise<number[]> {
  const [{ counter }] = alike as [WantedRaise];
  const total = alike.reduce((sum, { amount }) => sum + amount, 0);
  const command = new UpdateCommand({
    TableName: name,
    Key: counter,
    ReturnValues: 'UPDATED_NEW',
    ReturnConsumedCapacity: 'TOTAL',
    ...addition({ value: total }),
  });
  const askers = alike.map(({ asker }) => asker);
  const { Attributes } = await ask(askers, 'writeUnits', (options) => client.send(command, options));
  let value = Attributes?.value - total;
  return alike.map(({ amount }) => {
    value += amount;
    return value;
  });
}
