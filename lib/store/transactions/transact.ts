import { randomUUID } from 'node:crypto';
import type { CancellationReason, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { invalid, invalidRequest } from '../../errors.ts';
import { callStore, pause, type StoreCaller } from '../client/call-store.ts';
import { coalesce } from '../client/coalesce.ts';
import type { Key } from '../client/definition.ts';
import { isException } from '../client/exceptions.ts';
import { marshall } from '../client/marshall.ts';
import type { InputOf } from '../client/operations.ts';
import { type Expression, sendUpdate, type Update, updateExpression } from '../client/update.ts';
import { type Attributes, itemBytesMax } from '../item.ts';
import type { Work } from '../work.ts';
import { mayChangeRights, RightsChanged, withRightsConditions } from './authority.ts';
import { notifyCommitListener } from './commit-listener.ts';
import { mergeWrites } from './merge-writes.ts';
import { LostRace } from './retry.ts';
import {
  bytesOf,
  type Condition,
  findItemErrors,
  transactionBytesMax,
  transactionWritesMax,
  type Write,
} from './write.ts';

/**
 * Carries out all of the writes or none, as the last or only transaction of a request.
 * @param result what the request results in then; its receipt keeps it, where it has one. A request that is sent again is
 * answered by it, so that nobody may forget it: what results in nothing says `undefined`.
 * @throws ApiError 400 for more than an item or a transaction holds; the `otherwise` of the first condition that failed,
 * or LostRace when another writer was in the way.
 */
export async function transact(work: Work, writes: readonly Write[], result: unknown): Promise<void> {
  if (writes.length === 0) return;
  const { receipt } = work;
  // In front, so that of several failed conditions it is the one that counts.
  await carryOut(work, receipt === undefined ? writes : [receipt.resultWrite(result), ...writes]);
  receipt?.noteResultWritten();
}

/** Stores writes in one transaction. @returns false if another writer was faster; then nothing is stored. */
export async function tryTransact(work: Work, ...writes: Write[]): Promise<boolean> {
  try {
    await transact(work, writes, undefined);
    return true;
  } catch (error) {
    if (error instanceof LostRace) return false;
    throw error;
  }
}

/**
 * As `transact`, for a request of several transactions.
 * @param names what it carries out; the receipt keeps them.
 */
export async function transactPart(work: Work, writes: readonly Write[], names: readonly string[]): Promise<void> {
  const { receipt } = work;
  await carryOut(work, receipt === undefined ? writes : [receipt.completedPartWrite(names), ...writes]);
}

/**
 * The number of times that changing rights are read again during a transaction; then the whole change is decided again.
 */
const renewalsMax = 5;

async function carryOut(work: Work, all: readonly Write[]): Promise<void> {
  const { guard, gate } = work;
  const writes = mergeWrites([...all, ...(guard ? [guard] : []), ...(gate?.extraWrites(all) ?? [])]);
  const authority = writes.some(mayChangeRights) ? work.authority : undefined;
  if (authority === undefined) return carryOutNow(work, writes);
  for (let round = 0; ; round += 1) {
    try {
      await carryOutNow(work, withRightsConditions(writes, authority.conditions()));
      return authority.noteWritten(writes);
    } catch (error) {
      if (!(error instanceof RightsChanged) || round === renewalsMax) throw error;
    }
    await authority.renew();
  }
}

async function carryOutNow(work: Work, writes: readonly Write[]): Promise<void> {
  assertFits(writes);
  try {
    await resendConflicts(work, async () => {
      using shards = new DisposableStack();
      await callStore(work.store, [work], 'TransactWriteItems', requestFor(work, writes, shards));
    });
  } catch (error) {
    throw isCanceled(error) ? meaningOf(error, writes) : error;
  }
  notifyCommitListener(work.store, writes);
}

/** @param shards gives back the shards that it takes. */
function requestFor({ store }: Work, writes: readonly Write[], shards: DisposableStack): InputOf<'TransactWriteItems'> {
  return {
    // A request whose answer was lost is repeated with this same token, so that the store carries it out once.
    ClientRequestToken: randomUUID(),
    TransactItems: writes.map((write) => {
      if (!('addToAny' in write)) return toAction(store.name, write);
      const { key } = shards.use(store.shardPicker.take(write.addToAny));
      return updateAction(store.name, key, { add: write.amounts, set: write.set ?? {} }, numbersAs(write));
    }),
  };
}

/**
 * The number of times that a transaction is sent again after a conflict with another one. The pauses add up to half a
 * second.
 */
const resendsMax = 7;
const resendPauseMs = (round: number) => Math.random() * 4 * 2 ** round;

/**
 * Sends something again, as it is, while another transaction is in the way. Nothing was written, and what was read may
 * still hold; where it does not, a condition fails.
 */
export async function resendConflicts<T>(asker: Pick<StoreCaller, 'signal'>, attempt: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (round === resendsMax || !isPassing(error)) throw error;
    }
    await pause(resendPauseMs(round), asker);
  }
}

/** A transaction that the store has not carried out. */
interface Cancellation extends Error {
  /** In the order of the writes. */
  readonly CancellationReasons?: readonly CancellationReason[];
}

const isCanceled = (error: unknown): error is Cancellation => isException(error, 'TransactionCanceledException');

const passingReasons = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** A conflict with another transaction, or a throttled part of this one, while no condition has failed. */
function isPassing(error: unknown): boolean {
  if (isException(error, 'TransactionConflictException')) return true;
  if (!isCanceled(error)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code = 'None' }) => Code).filter((code) => code !== 'None');
  return codes.length > 0 && codes.every((code) => passingReasons.includes(code));
}

function assertFits(writes: readonly Write[]): void {
  const bytes = bytesOf(writes);
  // What fits into one item together has none that is too large.
  const [tooLarge] = bytes > itemBytesMax ? findItemErrors(writes) : [];
  if (tooLarge !== undefined) throw invalidRequest([tooLarge]);
  if (writes.length > transactionWritesMax || bytes > transactionBytesMax) {
    throw invalid(
      `The change would take ${writes.length} writes and ${bytes} bytes; the store carries out at most ` +
        `${transactionWritesMax} writes and ${transactionBytesMax} bytes together.`,
    );
  }
}

type ConditionExpression = Expression & { readonly ConditionExpression: string };

function updateAction(TableName: string, key: Key, change: Update, condition: Expression): TransactWriteItem {
  return { Update: { TableName, Key: marshall({ ...key }), ...updateExpression(change, condition) } };
}

function toAction(TableName: string, write: Exclude<Write, { readonly addToAny: unknown }>): TransactWriteItem {
  const condition = write.when && toExpression(write.when);
  if ('add' in write) return updateAction(TableName, write.add, { add: write.amounts }, condition ?? {});
  if ('check' in write)
    return { ConditionCheck: { TableName, Key: marshall({ ...write.check }), ...onWire(toExpression(write.when)) } };
  const when = condition && onWire(condition);
  if ('put' in write) return { Put: { TableName, Item: marshall({ ...write.put, ...write.item }), ...when } };
  return { Delete: { TableName, Key: marshall({ ...write.remove }), ...when } };
}

/** Returns a condition in the form that goes to the store. */
function onWire<E extends Expression>({ ExpressionAttributeValues: values, ...expression }: E) {
  return { ...expression, ...(values && { ExpressionAttributeValues: marshall(values) }) };
}

function toExpression(condition: Condition): ConditionExpression {
  if (condition === 'absent') return { ConditionExpression: 'attribute_not_exists(pk)' };
  if (condition === 'present') return { ConditionExpression: 'attribute_exists(pk)' };
  if ('amount' in condition) {
    const counted = condition.amount === 0 ? '(attribute_not_exists(amount) OR amount = :amount)' : 'amount = :amount';
    return {
      ConditionExpression: condition.present ? `attribute_exists(pk) AND ${counted}` : counted,
      ExpressionAttributeValues: { ':amount': condition.amount },
    };
  }
  if ('forProject' in condition) {
    return {
      ConditionExpression: '#project = :project OR #project = :none',
      ExpressionAttributeNames: { '#project': 'project' },
      ExpressionAttributeValues: { ':project': condition.forProject, ':none': null },
    };
  }
  const { same = {} } = condition;
  if (!('version' in condition)) return condition.isUnderWay ? underWayAs(same) : valuesAs(same);
  const { version } = condition;
  const beside = valuesAs(same);
  return {
    ConditionExpression: ['#version = :version', beside.ConditionExpression]
      .filter((each) => each !== '')
      .join(' AND '),
    ExpressionAttributeNames: { '#version': 'version', ...beside.ExpressionAttributeNames },
    ExpressionAttributeValues: { ':version': version, ...beside.ExpressionAttributeValues },
  };
}

/** Returns the condition that some attributes have these values, or are missing where they are undefined. */
function valuesAs(same: Attributes): ConditionExpression {
  const entries = Object.entries(same).map(([name, value], index) => ({ name, value, index }));
  const values = entries.flatMap(({ value, index }) => (value === undefined ? [] : [[`:s${index}`, value] as const]));
  return {
    ConditionExpression: entries
      .map(({ value, index }) => (value === undefined ? `attribute_not_exists(#s${index})` : `#s${index} = :s${index}`))
      .join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(entries.map(({ name, index }) => [`#s${index}`, name])),
    ExpressionAttributeValues: Object.fromEntries(values),
  };
}

/** Returns the condition of `valuesAs` for something that has not ended yet. */
function underWayAs(same: Attributes): ConditionExpression {
  const beside = valuesAs(same);
  return {
    ConditionExpression: `${beside.ConditionExpression} AND #until > :now`,
    ExpressionAttributeNames: { ...beside.ExpressionAttributeNames, '#until': 'until' },
    ExpressionAttributeValues: { ...beside.ExpressionAttributeValues, ':now': new Date().toISOString() },
  };
}

/** Returns the condition that some numbers are 0 or missing, and others 1. */
function numbersAs({ unless = [], provided = [] }: Extract<Write, { readonly addToAny: unknown }>): Expression {
  if (unless.length + provided.length === 0) return {};
  const conditions = [
    ...unless.map((_, index) => `(attribute_not_exists(#u${index}) OR #u${index} = :none)`),
    ...provided.map((_, index) => `#p${index} = :one`),
  ];
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries([
      ...unless.map((name, index) => [`#u${index}`, name]),
      ...provided.map((name, index) => [`#p${index}`, name]),
    ]),
    ExpressionAttributeValues: { ...(unless.length > 0 && { ':none': 0 }), ...(provided.length > 0 && { ':one': 1 }) },
  };
}

/** The reasons are in the order of the writes. A failed condition outweighs a conflict: it does not pass by itself. */
function meaningOf(error: Cancellation, writes: readonly Write[]): Error {
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const write = writes[failed];
  if (write !== undefined) {
    return 'otherwise' in write && write.otherwise !== undefined ? write.otherwise() : new LostRace();
  }
  return isPassing(error) ? new LostRace() : error;
}

/** By how much a counter is to be raised, and who asks. */
interface WantedRaise {
  readonly counter: Key;
  readonly amount: number;
  readonly asker: StoreCaller;
}

const wantedRaise = coalesce(raiseTogether, { kindOf: ({ counter }) => counter.pk });

/**
 * Raises a counter by `amount` and answers its new value, in one request, of which all who ask together get a part. A
 * repeated request leaves a gap.
 */
export function raiseCounter(work: Work, counter: Key, amount: number): Promise<number> {
  return wantedRaise(work, { counter, amount, asker: work });
}

async function raiseTogether({ store }: Work, alike: readonly WantedRaise[]): Promise<number[]> {
  const [{ counter }] = alike as [WantedRaise];
  const total = alike.reduce((sum, { amount }) => sum + amount, 0);
  const askers = alike.map(({ asker }) => asker);
  const change = { add: { value: total } };
  // A number is seen only in what is written with it.
  const options = { returned: 'UPDATED_NEW', mayBeLost: true } as const;
  const raised = await resendConflicts({}, () => sendUpdate(store, askers, counter, change, options));
  let value = Number(raised.value) - total;
  return alike.map(({ amount }) => {
    value += amount;
    return value;
  });
}
