import { hash } from 'node:crypto';
import type {
  BatchGetItemInput,
  BatchWriteItemInput,
  CreateTableInput,
  GetItemInput,
  PutItemInput,
  QueryInput,
  TransactWriteItemsInput,
} from '@aws-sdk/client-dynamodb';
import { type Key, keyText } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { BoundedMap } from '../../../lib/values/cache.ts';
import { bytesOfItem, pick } from './attributes.ts';
import { readUnits, sumConsumedCapacity, toConsumedCapacity, writeUnits } from './capacity.ts';
import type { Database } from './database.ts';
import { readPage } from './pages.ts';
import { badRequest, StoreError } from './store-error.ts';
import { describeTable, itemIn, keyIn, type Table, Tables } from './tables.ts';
import { carryOut, type Prepared, prepare, type WriteInput, type WriteKind } from './writes.ts';

/** An answer in the protocol's form, in which what is undefined is not there. */
interface Answer {
  readonly ConsumedCapacity?: object;
  readonly [member: string]: unknown;
}

type Operation = (input: never) => Answer;
/** The members that many requests have. */
type Input = Partial<Pick<PutItemInput, 'TableName' | 'ReturnConsumedCapacity'>>;

/** AWS's documented limits. */
const transactionActionsMax = 100;
const transactionBytesMax = 4 * 1024 * 1024;
const batchKeysMax = 100;
const batchWritesMax = 25;
const batchBytesMax = 16 * 1024 * 1024;
/** The store knows a repeated transaction by its token for 10 minutes; ours comes within seconds. */
const tokensMax = 20_000;

/** The parts of requests that are not here, since nothing in lib/store asks for them: better refused than ignored. */
const unknownParts = ['FilterExpression', 'Select', 'AttributesToGet', 'Expected'];
const unknownWithKeys = ['ProjectionExpression', 'AttributesToGet'];

const actionKinds = ['Put', 'Update', 'Delete', 'ConditionCheck'];

const conditionFailed = 'The conditional request failed';

/** The operations of the protocol that programs use on a table. */
export class Operations {
  readonly #database: Database;
  readonly #tables: Tables;
  /** By token: the transaction, and the answer when it comes again. */
  readonly #carriedOut = new BoundedMap<string, { readonly request: string; readonly answer: Answer }>(tokensMax);

  readonly #reads = new Map<string, Operation>([
    ['BatchGetItem', (input: BatchGetItemInput) => this.#batchGet(input)],
    ['DescribeTable', ({ TableName }: Input) => ({ Table: describeTable(this.#tables.get(TableName)) })],
    ['GetItem', (input: GetItemInput) => this.#get(input)],
    ['Query', (input: QueryInput) => readPage(this.#database, this.#tables.get(input.TableName), input, false)],
    ['Scan', (input: QueryInput) => readPage(this.#database, this.#tables.get(input.TableName), input, true)],
  ]);

  readonly #writes = new Map<string, Operation>([
    ['BatchWriteItem', (input: BatchWriteItemInput) => this.#batchWrite(input)],
    ['CreateTable', (input: CreateTableInput) => ({ TableDescription: describeTable(this.#tables.create(input)) })],
    ['DeleteItem', (input: WriteInput) => this.#write('Delete', input)],
    ['DeleteTable', ({ TableName }: Input) => ({ TableDescription: describeTable(this.#tables.delete(TableName)) })],
    ['PutItem', (input: WriteInput) => this.#write('Put', input)],
    ['TransactWriteItems', (input: TransactWriteItemsInput) => this.#transactOnce(input)],
    ['UpdateItem', (input: WriteInput) => this.#write('Update', input)],
  ]);

  constructor(database: Database) {
    this.#database = database;
    this.#tables = new Tables(database);
  }

  /**
   * Carries out an operation, and answers as the protocol does.
   * @param mayBeLost true where no answer need wait for the disk.
   * @throws StoreError, in which case nothing was written.
   */
  carryOut(operation: string, input: Input, mayBeLost?: boolean): object {
    const read = this.#reads.get(operation);
    const action = read ?? this.#writes.get(operation);
    if (action === undefined)
      throw new StoreError('UnknownOperationException', `This store has no operation ${operation}.`);
    assertKnown(input, unknownParts);
    const carryOut = () => action(input as never);
    const answer = read ? this.#database.reading(carryOut) : this.#database.writing(carryOut, mayBeLost);
    const { ReturnConsumedCapacity: wanted = 'NONE' } = input;
    return wanted === 'NONE' ? { ...answer, ConsumedCapacity: undefined } : answer;
  }

  #get({ TableName, Key, ConsistentRead, ...rest }: GetItemInput): Answer {
    assertKnown(rest, unknownWithKeys);
    const table = this.#tables.get(TableName);
    const row = this.#database.find(table.id, keyIn(table, Key, true));
    return {
      Item: row && itemIn(row),
      ConsumedCapacity: toConsumedCapacity(table, readUnits(row?.bytes, ConsistentRead)),
    };
  }

  #batchGet({ RequestItems }: BatchGetItemInput): Answer {
    const Responses: Record<string, MarshalledItem[]> = {};
    const UnprocessedKeys: BatchGetItemInput['RequestItems'] = {};
    const ConsumedCapacity: object[] = [];
    let [count, bytes] = [0, 0];
    for (const [name, wanted] of entriesOf(RequestItems)) {
      const table = this.#tables.get(name);
      assertKnown(wanted, unknownWithKeys);
      const keys = someOf(wanted.Keys).map((Key) => ({ Key, table, key: keyIn(table, Key, true) }));
      count += keys.length;
      if (count > batchKeysMax) throw badRequest('Too many items requested for the BatchGetItem call');
      assertApart(keys, 'Provided list of item keys contains duplicates');
      const items: MarshalledItem[] = [];
      const unread: MarshalledItem[] = [];
      let units = 0;
      for (const { Key, key } of keys) {
        const row = bytes > batchBytesMax ? undefined : this.#database.find(table.id, key);
        bytes += row?.bytes ?? 0;
        if (bytes > batchBytesMax) unread.push(Key);
        else {
          units += readUnits(row?.bytes, wanted.ConsistentRead);
          if (row !== undefined) items.push(itemIn(row));
        }
      }
      Responses[name] = items;
      if (unread.length > 0) UnprocessedKeys[name] = { ...wanted, Keys: unread };
      ConsumedCapacity.push(toConsumedCapacity(table, units));
    }
    return { Responses, UnprocessedKeys, ConsumedCapacity };
  }

  #write(kind: WriteKind, input: WriteInput): Answer {
    const table = this.#tables.get(input.TableName);
    const prepared = prepare(this.#database, table, kind, input);
    if (!prepared.isAllowed) {
      throw new StoreError('ConditionalCheckFailedException', conditionFailed, itemOnFailure(prepared));
    }
    carryOut(this.#database, prepared);
    return { Attributes: returned(prepared), ConsumedCapacity: toConsumedCapacity(table, writeUnits(prepared)) };
  }

  #batchWrite({ RequestItems }: BatchWriteItemInput): Answer {
    const writes = entriesOf(RequestItems).flatMap(([name, requests]) => {
      const table = this.#tables.get(name);
      return someOf(requests).map(({ PutRequest, DeleteRequest }) =>
        prepare(this.#database, table, PutRequest ? 'Put' : 'Delete', (PutRequest ?? DeleteRequest) as WriteInput),
      );
    });
    if (writes.length > batchWritesMax) throw badRequest('Too many items requested for the BatchWriteItem call');
    assertApart(writes, 'Provided list of item keys contains duplicates');
    for (const write of writes) carryOut(this.#database, write);
    return { UnprocessedItems: {}, ConsumedCapacity: sumConsumedCapacity(writes, (write) => writeUnits(write)) };
  }

  /** A transaction that comes again with its token was carried out already, and is answered as a read of its items. */
  #transactOnce({ ClientRequestToken: token = '', ...input }: TransactWriteItemsInput): Answer {
    const request = token && hash('sha256', JSON.stringify(input));
    const known = this.#carriedOut.get(token);
    if (known?.request === request) return known.answer;
    if (known !== undefined) {
      throw new StoreError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token as a previous, but non-identical request.',
      );
    }
    const writes = this.#transact(input);
    const again = (write: Prepared) => 2 * readUnits(write.kept?.bytes, true);
    if (token)
      this.#carriedOut.set(token, { request, answer: { ConsumedCapacity: sumConsumedCapacity(writes, again) } });
    // It prepares each write and then makes it.
    return { ConsumedCapacity: sumConsumedCapacity(writes, (write) => writeUnits(write, 2)) };
  }

  #transact({ TransactItems }: TransactWriteItemsInput): Prepared[] {
    const actions = someOf(TransactItems);
    if (actions.length > transactionActionsMax) throw badRequest('Member must have length less than or equal to 100');
    const writes = actions.map((action) => {
      const [[kind, input], ...more] = Object.entries(action) as [[WriteKind, WriteInput]];
      if (!actionKinds.includes(kind) || more.length > 0) {
        throw badRequest('TransactItems can only contain one of Check, Put, Update or Delete');
      }
      return prepare(this.#database, this.#tables.get(input.TableName), kind, input);
    });
    assertApart(writes, 'Transaction request cannot include multiple operations on one item');
    const bytes = writes.reduce((sum, { input }) => sum + bytesOfItem(input.Item ?? input.Key ?? {}), 0);
    if (bytes > transactionBytesMax) throw badRequest(`Transaction payload size cannot exceed 4MB: ${bytes} bytes`);
    if (!writes.every(({ isAllowed }) => isAllowed)) throw cancelled(writes);
    for (const write of writes) carryOut(this.#database, write);
    return writes;
  }
}

function assertKnown(input: object, unknown: readonly string[]): void {
  for (const name of unknown) if (name in input) throw badRequest(`This store does not know ${name}.`);
}

/** The list, which has to have something in it. */
function someOf<T>(list: readonly T[] = []): readonly T[] {
  if (list.length === 0) throw badRequest('Member must have length greater than or equal to 1');
  return list;
}

const entriesOf = <T>(members: Readonly<Record<string, T>> = {}) => someOf(Object.entries(members));

function assertApart(places: readonly { readonly table: Table; readonly key: Key }[], message: string): void {
  const ids = new Set(places.map(({ table, key }) => `${table.name}\n${keyText(key)}`));
  if (ids.size < places.length) throw badRequest(message);
}

function cancelled(prepared: readonly Prepared[]): StoreError {
  const failed = { Code: 'ConditionalCheckFailed', Message: conditionFailed };
  const reasons = prepared.map((each) => (each.isAllowed ? { Code: 'None' } : { ...failed, ...itemOnFailure(each) }));
  return new StoreError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );
}

function itemOnFailure({ input, before }: Prepared) {
  return input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before ? { Item: itemIn(before) } : {};
}

/** The attributes that a write answers with. */
function returned({ input: { ReturnValues }, before, after = {}, changed }: Prepared): MarshalledItem | undefined {
  if (ReturnValues === 'ALL_OLD') return before && itemIn(before);
  if (ReturnValues === 'ALL_NEW') return after;
  return ReturnValues === 'UPDATED_NEW' ? pick(after, changed) : undefined;
}
