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
import { countReadUnits, countWriteUnits, sumConsumedCapacity, toConsumedCapacity } from './capacity.ts';
import type { Database } from './database.ts';
import { readPage } from './pages.ts';
import { badRequest, StoreError } from './store-error.ts';
import { describeTable, parseItem, parseKey, type Table, Tables } from './tables.ts';
import { carryOutWrite, type PreparedWrite, prepareWrite, type WriteInput, type WriteKind } from './writes.ts';

/** An answer in the format of the protocol. Undefined members are omitted. */
interface Answer {
  readonly ConsumedCapacity?: object;
  readonly [member: string]: unknown;
}

type Operation = (input: never) => Answer;
/** The members that most requests have. */
type Input = Partial<Pick<PutItemInput, 'TableName' | 'ReturnConsumedCapacity'>>;

/** AWS's documented limits. */
const maxTransactionActions = 100;
const maxTransactionBytes = 4 * 1024 * 1024;
const maxBatchKeys = 100;
const maxBatchWrites = 25;
const maxBatchBytes = 16 * 1024 * 1024;
/** DynamoDB recognizes a repeated transaction by its token for 10 minutes. Our client repeats one within seconds. */
const maxTokens = 20_000;

/** Members of requests that lib/store does not use. They are refused, since ignoring them would change the result. */
const unsupportedMembers = ['FilterExpression', 'Select', 'AttributesToGet', 'Expected'];
const unsupportedWithKeys = ['ProjectionExpression', 'AttributesToGet'];

const actionKinds = ['Put', 'Update', 'Delete', 'ConditionCheck'];

const conditionFailed = 'The conditional request failed';

/** The operations of DynamoDB's protocol. */
export class Operations {
  readonly #database: Database;
  readonly #tables: Tables;
  /** The transactions that were carried out, by token: a hash of the request, and the answer to a repetition. */
  readonly #transactions = new BoundedMap<string, { readonly request: string; readonly answer: Answer }>(maxTokens);

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
   * Carries out an operation, and returns the answer of the protocol.
   * @param mayBeLost true if no answer needs to wait until the write is on disk.
   * @throws StoreError if the operation is refused. Then nothing was written.
   */
  carryOut(operation: string, input: Input, mayBeLost?: boolean): object {
    const read = this.#reads.get(operation);
    const run = read ?? this.#writes.get(operation);
    if (run === undefined)
      throw new StoreError('UnknownOperationException', `This store has no operation ${operation}.`);
    assertSupported(input, unsupportedMembers);
    const action = () => run(input as never);
    const answer = read ? this.#database.read(action) : this.#database.write(action, mayBeLost);
    const { ReturnConsumedCapacity: detail = 'NONE' } = input;
    return detail === 'NONE' ? { ...answer, ConsumedCapacity: undefined } : answer;
  }

  #get({ TableName, Key, ConsistentRead, ...rest }: GetItemInput): Answer {
    assertSupported(rest, unsupportedWithKeys);
    const table = this.#tables.get(TableName);
    const row = this.#database.find(table.id, parseKey(table, Key));
    return {
      Item: row && parseItem(row),
      ConsumedCapacity: toConsumedCapacity(table, countReadUnits(row?.bytes, ConsistentRead)),
    };
  }

  #batchGet({ RequestItems }: BatchGetItemInput): Answer {
    const Responses: Record<string, MarshalledItem[]> = {};
    const UnprocessedKeys: BatchGetItemInput['RequestItems'] = {};
    const ConsumedCapacity: object[] = [];
    let [count, bytes] = [0, 0];
    for (const [name, request] of entriesOf(RequestItems)) {
      const table = this.#tables.get(name);
      assertSupported(request, unsupportedWithKeys);
      const keys = assertNotEmpty(request.Keys).map((Key) => ({ Key, table, key: parseKey(table, Key) }));
      count += keys.length;
      if (count > maxBatchKeys) throw badRequest('Too many items requested for the BatchGetItem call');
      assertDistinct(keys, 'Provided list of item keys contains duplicates');
      const items: MarshalledItem[] = [];
      const unread: MarshalledItem[] = [];
      let units = 0;
      for (const { Key, key } of keys) {
        const row = bytes > maxBatchBytes ? undefined : this.#database.find(table.id, key);
        bytes += row?.bytes ?? 0;
        if (bytes > maxBatchBytes) unread.push(Key);
        else {
          units += countReadUnits(row?.bytes, request.ConsistentRead);
          if (row !== undefined) items.push(parseItem(row));
        }
      }
      Responses[name] = items;
      if (unread.length > 0) UnprocessedKeys[name] = { ...request, Keys: unread };
      ConsumedCapacity.push(toConsumedCapacity(table, units));
    }
    return { Responses, UnprocessedKeys, ConsumedCapacity };
  }

  #write(kind: WriteKind, input: WriteInput): Answer {
    const table = this.#tables.get(input.TableName);
    const write = prepareWrite(this.#database, table, kind, input);
    if (!write.isAllowed) {
      throw new StoreError('ConditionalCheckFailedException', conditionFailed, itemOnFailure(write));
    }
    carryOutWrite(this.#database, write);
    return { Attributes: returnValuesOf(write), ConsumedCapacity: toConsumedCapacity(table, countWriteUnits(write)) };
  }

  #batchWrite({ RequestItems }: BatchWriteItemInput): Answer {
    const writes = entriesOf(RequestItems).flatMap(([name, requests]) => {
      const table = this.#tables.get(name);
      return assertNotEmpty(requests).map(({ PutRequest, DeleteRequest }) =>
        prepareWrite(this.#database, table, PutRequest ? 'Put' : 'Delete', (PutRequest ?? DeleteRequest) as WriteInput),
      );
    });
    if (writes.length > maxBatchWrites) throw badRequest('Too many items requested for the BatchWriteItem call');
    assertDistinct(writes, 'Provided list of item keys contains duplicates');
    for (const write of writes) carryOutWrite(this.#database, write);
    return { UnprocessedItems: {}, ConsumedCapacity: sumConsumedCapacity(writes, (write) => countWriteUnits(write)) };
  }

  /** Carries out a transaction. One that is repeated with its token is not carried out again, and costs only a read of its items. */
  #transactOnce({ ClientRequestToken: token = '', ...input }: TransactWriteItemsInput): Answer {
    const request = token && hash('sha256', JSON.stringify(input));
    const earlier = this.#transactions.get(token);
    if (earlier?.request === request) return earlier.answer;
    if (earlier !== undefined) {
      throw new StoreError(
        'IdempotentParameterMismatchException',
        'The request uses the same client token as a previous, but non-identical request.',
      );
    }
    const writes = this.#transact(input);
    const unitsOfRepetition = (write: PreparedWrite) => 2 * countReadUnits(write.newRow?.bytes, true);
    if (token) {
      const answer = { ConsumedCapacity: sumConsumedCapacity(writes, unitsOfRepetition) };
      this.#transactions.set(token, { request, answer });
    }
    // DynamoDB writes each item twice: to prepare the transaction, and to commit it.
    return { ConsumedCapacity: sumConsumedCapacity(writes, (write) => countWriteUnits(write, 2)) };
  }

  #transact({ TransactItems }: TransactWriteItemsInput): PreparedWrite[] {
    const actions = assertNotEmpty(TransactItems);
    if (actions.length > maxTransactionActions) throw badRequest('Member must have length less than or equal to 100');
    const writes = actions.map((action) => {
      const [[kind, input], ...more] = Object.entries(action) as [[WriteKind, WriteInput]];
      if (!actionKinds.includes(kind) || more.length > 0) {
        throw badRequest('TransactItems can only contain one of Check, Put, Update or Delete');
      }
      return prepareWrite(this.#database, this.#tables.get(input.TableName), kind, input);
    });
    assertDistinct(writes, 'Transaction request cannot include multiple operations on one item');
    const bytes = writes.reduce((sum, { input }) => sum + bytesOfItem(input.Item ?? input.Key ?? {}), 0);
    if (bytes > maxTransactionBytes) throw badRequest(`Transaction payload size cannot exceed 4MB: ${bytes} bytes`);
    if (!writes.every(({ isAllowed }) => isAllowed)) throw buildCancellation(writes);
    for (const write of writes) carryOutWrite(this.#database, write);
    return writes;
  }
}

function assertSupported(input: object, unsupported: readonly string[]): void {
  for (const name of unsupported) if (name in input) throw badRequest(`This store does not support ${name}.`);
}

/** Returns the list itself. @throws StoreError if it is empty. */
function assertNotEmpty<T>(list: readonly T[] = []): readonly T[] {
  if (list.length === 0) throw badRequest('Member must have length greater than or equal to 1');
  return list;
}

const entriesOf = <T>(members: Readonly<Record<string, T>> = {}) => assertNotEmpty(Object.entries(members));

function assertDistinct(targets: readonly { readonly table: Table; readonly key: Key }[], message: string): void {
  const ids = new Set(targets.map(({ table, key }) => `${table.name}\n${keyText(key)}`));
  if (ids.size < targets.length) throw badRequest(message);
}

function buildCancellation(writes: readonly PreparedWrite[]): StoreError {
  const failed = { Code: 'ConditionalCheckFailed', Message: conditionFailed };
  const reasons = writes.map((write) => (write.isAllowed ? { Code: 'None' } : { ...failed, ...itemOnFailure(write) }));
  return new StoreError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );
}

function itemOnFailure({ input, before }: PreparedWrite) {
  return input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before ? { Item: parseItem(before) } : {};
}

/** Returns the attributes for the answer to a write, as its `ReturnValues` say. */
function returnValuesOf({
  input: { ReturnValues },
  before,
  after = {},
  changedNames,
}: PreparedWrite): MarshalledItem | undefined {
  if (ReturnValues === 'ALL_OLD') return before && parseItem(before);
  if (ReturnValues === 'ALL_NEW') return after;
  return ReturnValues === 'UPDATED_NEW' ? pick(after, changedNames) : undefined;
}
