import { hash } from 'node:crypto';
import { bytesOfItem, type WireItem } from './attributes.ts';
import type { Database } from './database.ts';
import { updatedNames } from './expressions.ts';
import { type PageInput, readPage } from './pages.ts';
import { badRequest, conditionFailed, StoreError } from './store-error.ts';
import { describe, itemIn, keyIn, pick, type Table, type TableDefinition, Tables } from './tables.ts';
import {
  carryOut,
  carryOutTogether,
  type Prepared,
  prepare,
  unitsOf,
  type WriteInput,
  type WriteKind,
} from './writes.ts';

// biome-ignore lint/suspicious/noExplicitAny: requests of all kinds; each operation reads what it needs of one.
type Input = any;

/** AWS's documented limits. */
const transactionActionsMax = 100;
const transactionBytesMax = 4 * 1024 * 1024;
const batchKeysMax = 100;
const batchWritesMax = 25;
const batchBytesMax = 16 * 1024 * 1024;
const readUnitBytes = 4096;
/** The store knows a repeated transaction by its token for 10 minutes; ours comes within seconds. */
const tokensMax = 20_000;

/** The parts of requests that are not here, since nothing in lib/store asks for them: better refused than ignored. */
const unknownParts = ['FilterExpression', 'Select', 'AttributesToGet', 'Expected'];

/** The operations of the protocol that programs use on a table. */
export class Operations {
  readonly #database: Database;
  readonly #tables: Tables;
  /** By token: the transaction, and the answer when it comes again. */
  readonly #carriedOut = new Map<string, { readonly request: string; readonly answer: object }>();

  constructor(database: Database) {
    this.#database = database;
    this.#tables = new Tables(database);
  }

  /**
   * Carries out an operation, and answers as the protocol does.
   * @throws StoreError, in which case nothing was written.
   */
  carryOut(operation: string, input: Input): object {
    for (const name of unknownParts) if (name in input) throw badRequest(`This store does not know ${name}.`);
    switch (operation) {
      case 'BatchGetItem':
        return this.#batchGet(input);
      case 'Query':
        return this.#page(input, false);
      case 'Scan':
        return this.#page(input, true);
      case 'TransactWriteItems':
        return this.#transactOnce(input);
      case 'UpdateItem':
        return this.#write('Update', input);
      case 'PutItem':
        return this.#write('Put', input);
      case 'DeleteItem':
        return this.#write('Delete', input);
      case 'GetItem':
        return this.#get(input);
      case 'BatchWriteItem':
        return this.#batchWrite(input);
      case 'CreateTable':
        return { TableDescription: describe(this.#tables.create(input as TableDefinition)) };
      case 'DescribeTable':
        return { Table: describe(this.#tables.get(input.TableName)) };
      case 'DeleteTable':
        return { TableDescription: describe(this.#tables.delete(input.TableName)) };
      default:
        throw new StoreError('UnknownOperationException', `This store has no operation ${operation}.`);
    }
  }

  #get(input: Input): object {
    const table = this.#tables.get(input.TableName);
    const { pk, sk } = keyIn(table, input.Key, true);
    const row = this.#database.find(table.id, pk, sk);
    return {
      ...(row && { Item: itemIn(row) }),
      ...capacity(input, table, readUnits(row?.bytes ?? 0, input.ConsistentRead)),
    };
  }

  #batchGet(input: Input): object {
    const Responses: Record<string, WireItem[]> = {};
    const UnprocessedKeys: Record<string, Input> = {};
    const ConsumedCapacity: object[] = [];
    let [keys, bytes] = [0, 0];
    for (const [name, wanted] of someOf<Input>(input.RequestItems)) {
      const table = this.#tables.get(name);
      const items: WireItem[] = [];
      const known = new Set<string>();
      let units = 0;
      if (wanted.Keys.length === 0) throw tooFew();
      keys += wanted.Keys.length;
      if (keys > batchKeysMax) throw badRequest(`Too many items requested for the BatchGetItem call`);
      const unread: WireItem[] = [];
      for (const key of wanted.Keys as WireItem[]) {
        const { pk, sk } = keyIn(table, key, true);
        const id = `${pk}\n${sk}`;
        if (known.has(id)) throw badRequest('Provided list of item keys contains duplicates');
        known.add(id);
        const row = bytes > batchBytesMax ? undefined : this.#database.find(table.id, pk, sk);
        bytes += row?.bytes ?? 0;
        if (bytes > batchBytesMax) {
          unread.push(key);
          continue;
        }
        units += readUnits(row?.bytes ?? 0, wanted.ConsistentRead);
        if (row !== undefined) items.push(itemIn(row));
      }
      Responses[name] = items;
      if (unread.length > 0) UnprocessedKeys[name] = { ...wanted, Keys: unread };
      ConsumedCapacity.push(...capacities(input, table, units));
    }
    return { Responses, UnprocessedKeys, ...(ConsumedCapacity.length > 0 && { ConsumedCapacity }) };
  }

  #page(input: Input, isScan: boolean): object {
    const table = this.#tables.get(input.TableName);
    const { items, bytes, last } = readPage(this.#database, table, input as PageInput, isScan);
    return {
      Items: items,
      Count: items.length,
      ScannedCount: items.length,
      ...(last && { LastEvaluatedKey: last }),
      ...capacity(input, table, readUnits(bytes, input.ConsistentRead)),
    };
  }

  #write(kind: WriteKind, input: Input): object {
    const table = this.#tables.get(input.TableName);
    const prepared = prepare(this.#database, table, kind, input as WriteInput);
    if (!prepared.isAllowed) throw conditionFailed(itemOnFailure(input, prepared));
    carryOut(this.#database, prepared);
    const attributes = returned(input, prepared);
    const { table: own, index } = unitsOf(prepared);
    return { ...(attributes && { Attributes: attributes }), ...capacity(input, table, own + index) };
  }

  #batchWrite(input: Input): object {
    const prepared: Prepared[] = [];
    for (const [name, requests] of someOf<Input>(input.RequestItems)) {
      if (requests.length === 0) throw tooFew();
      const table = this.#tables.get(name);
      for (const { PutRequest, DeleteRequest } of requests) {
        prepared.push(
          prepare(this.#database, table, PutRequest ? 'Put' : 'Delete', (PutRequest ?? DeleteRequest) as WriteInput),
        );
      }
    }
    if (prepared.length > batchWritesMax) throw badRequest('Too many items requested for the BatchWriteItem call');
    assertApart(prepared, 'Provided list of item keys contains duplicates');
    carryOutTogether(this.#database, prepared);
    return { UnprocessedItems: {} };
  }

  /** A transaction that comes again with its token was carried out already. */
  #transactOnce({ ClientRequestToken: token, ...input }: Input): object {
    if (token === undefined) return this.#transact(input).first;
    const request = hash('sha256', JSON.stringify(input));
    const known = this.#carriedOut.get(token);
    if (known !== undefined) {
      if (known.request === request) return known.answer;
      throw new StoreError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token as a previous, but non-identical request.',
      );
    }
    const { first, again } = this.#transact(input);
    this.#carriedOut.set(token, { request, answer: again });
    const [oldest] = this.#carriedOut.keys();
    if (this.#carriedOut.size > tokensMax && oldest !== undefined) this.#carriedOut.delete(oldest);
    return first;
  }

  /** @returns its answer, and that to the same one with the same token, which takes what it reads. */
  #transact(input: Input): { readonly first: object; readonly again: object } {
    const actions = input.TransactItems as readonly Record<WriteKind, Input>[];
    if (actions.length === 0) throw tooFew();
    if (actions.length > transactionActionsMax) throw badRequest('Member must have length less than or equal to 100');
    const prepared = actions.map((action) => {
      const [[kind, write] = ['', {}]] = Object.entries(action) as [string, Input][];
      return { ...prepare(this.#database, this.#tables.get(write.TableName), kind as WriteKind, write), input: write };
    });
    assertApart(prepared, 'Transaction request cannot include multiple operations on one item');
    const bytes = prepared.reduce((sum, { input }) => sum + bytesOfItem(input.Item ?? input.Key), 0);
    if (bytes > transactionBytesMax) throw badRequest(`Transaction payload size cannot exceed 4MB: ${bytes} bytes`);
    if (!prepared.every(({ isAllowed }) => isAllowed)) throw cancelled(prepared);
    carryOutTogether(this.#database, prepared);
    let [units, unitsAgain] = [0, 0];
    for (const each of prepared) {
      const { table: own, index } = unitsOf(each);
      // A transaction prepares each write and then makes it; the index follows once.
      units += 2 * own + index;
      unitsAgain += 2 * readUnits(each.after === undefined ? 0 : bytesOfItem(each.after), true);
    }
    const [{ table } = {}] = prepared;
    const [first = {}, again = {}] = [units, unitsAgain].map((each) => {
      const ConsumedCapacity = table === undefined ? [] : capacities(input, table, each);
      return ConsumedCapacity.length > 0 ? { ConsumedCapacity } : {};
    });
    return { first, again };
  }
}

const tooFew = () => badRequest('Member must have length greater than or equal to 1');

/** The entries of an object that has some. */
function someOf<T>(entries: Readonly<Record<string, T>> = {}): [string, T][] {
  const all = Object.entries(entries);
  if (all.length === 0) throw tooFew();
  return all;
}

function cancelled(prepared: readonly (Prepared & { readonly input: WriteInput })[]): StoreError {
  const reasons = prepared.map((each) =>
    each.isAllowed
      ? { Code: 'None' }
      : {
          Code: 'ConditionalCheckFailed',
          Message: 'The conditional request failed',
          ...itemOnFailure(each.input, each),
        },
  );
  return new StoreError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );
}

function itemOnFailure({ ReturnValuesOnConditionCheckFailure: wanted }: WriteInput, { before }: Prepared) {
  return wanted === 'ALL_OLD' && before.item !== undefined ? { Item: before.item } : {};
}

function assertApart(writes: readonly Prepared[], message: string): void {
  const ids = new Set(writes.map(({ table, key }) => `${table.name}\n${key.pk}\n${key.sk}`));
  if (ids.size < writes.length) throw badRequest(message);
}

/** The attributes that a write answers with. */
function returned({ ReturnValues: wanted, ...input }: Input, { before, after = {} }: Prepared): WireItem | undefined {
  if (wanted === 'ALL_OLD') return before.item;
  if (wanted === 'ALL_NEW') return after;
  return wanted === 'UPDATED_NEW' ? pick(after, updatedNames(input.UpdateExpression, input)) : undefined;
}

/** A read that may lag costs half. */
function readUnits(bytes: number, isConsistent: boolean | undefined): number {
  return Math.max(1, Math.ceil(bytes / readUnitBytes)) * (isConsistent ? 1 : 0.5);
}

/** The consumed capacity, as far as it was asked for. */
function capacities({ ReturnConsumedCapacity: wanted = 'NONE' }: Input, { name }: Table, units: number): object[] {
  return wanted === 'NONE' ? [] : [{ TableName: name, CapacityUnits: units }];
}

function capacity(input: Input, table: Table, units: number): { readonly ConsumedCapacity?: object } {
  const [ConsumedCapacity] = capacities(input, table, units);
  return ConsumedCapacity === undefined ? {} : { ConsumedCapacity };
}
