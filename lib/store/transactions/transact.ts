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
import { RightsChanged, withRightsConditions } from './authority.ts';
import { notifyCommitListeners } from './commit-listener.ts';
import { mayChangeRights } from './judge-writes.ts';
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
 * Carries out all writes in one transaction, the last or only one of a request.
 * @param result the result of the request, which its idempotency record keeps for a repeat. It is a required parameter so that no caller
 * forgets it; without a result, pass `undefined`.
 * @throws ApiError 400 for too large an item or transaction; the `otherwise` of the first condition that failed, or LostRace if
 * another writer was faster.
 */
export async function transact(work: Work, writes: readonly Write[], result: unknown): Promise<void> {
  if (writes.length === 0) return;
  const { idempotencyRecord } = work;
  // The write of the idempotency record is first: if several conditions fail, its error counts.
  await carryOut(work, idempotencyRecord === undefined ? writes : [idempotencyRecord.resultWrite(result), ...writes]);
  idempotencyRecord?.noteResultWritten();
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
 * Carries out a transaction that is not the last one of a request.
 * @param names the names of the units in it, which the idempotency record keeps.
 */
export async function transactPart(work: Work, writes: readonly Write[], names: readonly string[]): Promise<void> {
  const { idempotencyRecord } = work;
  await carryOut(
    work,
    idempotencyRecord === undefined ? writes : [idempotencyRecord.completedPartWrite(names), ...writes],
  );
}

/** The most times that a transaction reads changed rights again; then the whole change is decided again. */
const renewalsMax = 5;

async function carryOut(work: Work, all: readonly Write[]): Promise<void> {
  const { condition, gate } = work;
  const writes = mergeWrites([...all, ...(condition ? [condition] : []), ...(gate?.extraWrites(all) ?? [])]);
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
    throw isCanceled(error) ? errorOf(error, writes) : error;
  }
  notifyCommitListeners(work.store, writes);
}

/** @param shards frees the shards that the request takes. */
function requestFor({ store }: Work, writes: readonly Write[], shards: DisposableStack): InputOf<'TransactWriteItems'> {
  return {
    // A retry after a lost response has the same token, so that the store carries the transaction out once.
    ClientRequestToken: randomUUID(),
    TransactItems: writes.map((write) => {
      if (!('addToAny' in write)) return toAction(store.name, write);
      const { key } = shards.use(store.shardPicker.take(write.addToAny));
      return updateAction(store.name, key, { add: write.amounts, set: write.set ?? {} }, numberCondition(write));
    }),
  };
}

/** The most times that a transaction is sent again after a conflict with another one. The pauses add up to half a second. */
const resendsMax = 7;
const resendPauseMs = (round: number) => Math.random() * 4 * 2 ** round;

/**
 * Sends a request again, unchanged, while it conflicts with another transaction. Nothing was written, and its conditions may still
 * be true; if not, the retry fails with them.
 */
export async function resendConflicts<T>(caller: Pick<StoreCaller, 'signal'>, attempt: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (round === resendsMax || !isTemporary(error)) throw error;
    }
    await pause(resendPauseMs(round), caller);
  }
}

/** The exception for a transaction that was not carried out. */
interface Cancellation extends Error {
  /** The reasons in the order of the writes. */
  readonly CancellationReasons?: readonly CancellationReason[];
}

const isCanceled = (error: unknown): error is Cancellation => isException(error, 'TransactionCanceledException');

const temporaryReasons = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** Tells whether a request failed only because of conflicts or throttling, and not because of a condition. */
function isTemporary(error: unknown): boolean {
  if (isException(error, 'TransactionConflictException')) return true;
  if (!isCanceled(error)) return false;
  const codes = (error.CancellationReasons ?? []).map(({ Code = 'None' }) => Code).filter((code) => code !== 'None');
  return codes.length > 0 && codes.every((code) => temporaryReasons.includes(code));
}

function assertFits(writes: readonly Write[]): void {
  const bytes = bytesOf(writes);
  // Single items are only measured if the sum exceeds the limit of one item.
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
    return {
      ConditionCheck: { TableName, Key: marshall({ ...write.check }), ...marshallCondition(toExpression(write.when)) },
    };
  const when = condition && marshallCondition(condition);
  if ('put' in write) return { Put: { TableName, Item: marshall({ ...write.put, ...write.item }), ...when } };
  return { Delete: { TableName, Key: marshall({ ...write.remove }), ...when } };
}

/** Converts the values of a condition to the format of the protocol. */
function marshallCondition<E extends Expression>({ ExpressionAttributeValues: values, ...expression }: E) {
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
  if (!('version' in condition)) return condition.isUnderWay ? unendedCondition(same) : sameCondition(same);
  const { version } = condition;
  const others = sameCondition(same);
  return {
    ConditionExpression: ['#version = :version', others.ConditionExpression]
      .filter((expression) => expression !== '')
      .join(' AND '),
    ExpressionAttributeNames: { '#version': 'version', ...others.ExpressionAttributeNames },
    ExpressionAttributeValues: { ':version': version, ...others.ExpressionAttributeValues },
  };
}

/** Returns the condition that attributes have these values, or are missing if the value is undefined. */
function sameCondition(same: Attributes): ConditionExpression {
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

/** Returns the condition of `sameCondition` for an item whose `until` is in the future. */
function unendedCondition(same: Attributes): ConditionExpression {
  const others = sameCondition(same);
  return {
    ConditionExpression: `${others.ConditionExpression} AND #until > :now`,
    ExpressionAttributeNames: { ...others.ExpressionAttributeNames, '#until': 'until' },
    ExpressionAttributeValues: { ...others.ExpressionAttributeValues, ':now': new Date().toISOString() },
  };
}

/** Returns the condition that the `unless` numbers are 0 or missing, and the `provided` ones 1. */
function numberCondition({ unless = [], provided = [] }: Extract<Write, { readonly addToAny: unknown }>): Expression {
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

/** Returns the error for a cancelled transaction. A failed condition outweighs a conflict, since a retry would not help. */
function errorOf(error: Cancellation, writes: readonly Write[]): Error {
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  const write = writes[failed];
  if (write !== undefined) {
    return 'otherwise' in write && write.otherwise !== undefined ? write.otherwise() : new LostRace();
  }
  return isTemporary(error) ? new LostRace() : error;
}

interface CounterRaise {
  readonly counter: Key;
  readonly amount: number;
  readonly caller: StoreCaller;
}

const raiseCoalesced = coalesce(raiseTogether, { kindOf: ({ counter }) => counter.pk });

/**
 * Raises a counter by `amount` and returns its new value. Calls of the same moment share a request, and each gets its part of the
 * numbers. A retried request leaves a gap.
 */
export function raiseCounter(work: Work, counter: Key, amount: number): Promise<number> {
  return raiseCoalesced(work, { counter, amount, caller: work });
}

async function raiseTogether({ store }: Work, raises: readonly CounterRaise[]): Promise<number[]> {
  const [{ counter }] = raises as [CounterRaise];
  const total = raises.reduce((sum, { amount }) => sum + amount, 0);
  const callers = raises.map(({ caller }) => caller);
  const change = { add: { value: total } };
  // A lost raise is harmless: its numbers are only visible in later writes, which are then lost as well.
  const options = { returned: 'UPDATED_NEW', mayBeLost: true } as const;
  const updated = await resendConflicts({}, () => sendUpdate(store, callers, counter, change, options));
  let value = Number(updated.value) - total;
  return raises.map(({ amount }) => {
    value += amount;
    return value;
  });
}
