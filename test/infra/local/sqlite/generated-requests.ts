import fc, { type GeneratorValue } from 'fast-check';
import { requestFor } from '../../../../lib/store/client/create.ts';
import { tableDefinition } from '../../../../lib/store/client/definition.ts';

/** A request of the store's protocol: an operation, and its input. */
export type StoreRequest = readonly [operation: string, input: Readonly<Record<string, unknown>>];

const TableName = 'agreement';

/** The request that creates the table of all others. */
export const creation: StoreRequest = ['CreateTable', requestFor(TableName) as unknown as Record<string, unknown>];

/** Choices of a generator, which makes them smaller where a test fails. */
export class Choice {
  readonly #generate: GeneratorValue;

  constructor(generate: GeneratorValue) {
    this.#generate = generate;
  }

  of<T>(values: readonly T[]): T {
    return this.#generate(() => fc.constantFrom(...values));
  }

  times<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.#generate(() => fc.integer({ min: 1, max: most })) }, make);
  }

  isLikely(probability: number): boolean {
    return this.#generate(() => fc.nat({ max: 99 })) < 100 * probability;
  }
}

const partitions = ['a', 'b', 'ä'];
const sortKeys = ['1', '10', '2', 'x', 'x#', 'x#1', 'x#2', 'é', 'z\u{10400}', 'z\uffee', '~'];
const texts = ['', 'short', 'long '.repeat(300), 'ü\u{1f600}'.repeat(100)];
const numbers = ['0', '1', '-1', '7', '1000000', '0.1', '0.2', '-2.5', '1e21', '123456789012345678'];

const key = (choice: Choice) => ({ pk: { S: choice.of(partitions) }, sk: { S: choice.of(sortKeys) } });

function item(choice: Choice) {
  const { eventLog } = tableDefinition;
  return {
    ...key(choice),
    ...(choice.isLikely(0.7) && { version: { N: choice.of(numbers) } }),
    ...(choice.isLikely(0.5) && { amount: { N: choice.of(numbers) } }),
    ...(choice.isLikely(0.5) && { text: { S: choice.of(texts) } }),
    ...(choice.isLikely(0.3) && { about: { S: choice.of(texts) } }),
    ...(choice.isLikely(0.3) && { is: { BOOL: choice.isLikely(0.5) } }),
    ...(choice.isLikely(0.2) && { none: { NULL: true } }),
    ...(choice.isLikely(0.3) && {
      [eventLog.partitionKey]: { S: 'EVENTS' },
      [eventLog.sortKey]: { S: `2026-0${choice.of([1, 2, 3, 4, 5])}` },
    }),
  };
}

/** The conditions that the table's code makes, and their relatives. */
const conditions = [
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  '#version = :number',
  '#version = :number AND #text = :text',
  'attribute_not_exists(amount) OR amount > :number',
  '(attribute_not_exists(amount) OR amount = :number)',
  'attribute_exists(pk) AND (attribute_not_exists(amount) OR amount = :number)',
  'amount <= :number',
  'NOT amount >= :number',
  '#text <> :text',
  '#version BETWEEN :low AND :number',
  'amount IN (:low, :number)',
  '#is = :true',
];

/** Only the placeholders that a text has: the store refuses others. */
function placeholdersIn(text: string, choice: Choice) {
  const names = { '#version': 'version', '#text': 'text', '#is': 'is' };
  const values = {
    ':number': { N: choice.of(numbers) },
    ':low': { N: '-100' },
    ':text': { S: choice.of(texts) },
    ':true': { BOOL: true },
    ':new': { N: choice.of(numbers) },
    ':by': { N: choice.of(numbers) },
  };
  const used = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(text)));
  const [ExpressionAttributeNames, ExpressionAttributeValues] = [used(names), used(values)];
  return {
    ...(Object.keys(ExpressionAttributeNames).length > 0 && { ExpressionAttributeNames }),
    ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
  };
}

const updates = [
  'ADD amount :by',
  'ADD amount :by, #version :by',
  'SET #version = :new',
  'SET #text = if_not_exists(#text, :text)',
  'ADD amount :by SET #text = :text, #version = if_not_exists(#version, :new)',
  'REMOVE amount',
];

type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

function write(kind: WriteKind, choice: Choice) {
  const UpdateExpression = kind === 'Update' ? choice.of(updates) : undefined;
  const ConditionExpression = kind === 'ConditionCheck' || choice.isLikely(0.5) ? choice.of(conditions) : undefined;
  return {
    TableName,
    ...(kind === 'Put' ? { Item: item(choice) } : { Key: key(choice) }),
    ...(UpdateExpression !== undefined && { UpdateExpression }),
    ...(ConditionExpression !== undefined && { ConditionExpression }),
    ...placeholdersIn(`${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`, choice),
  };
}

const ReturnConsumedCapacity = 'TOTAL';

const makers: readonly ((choice: Choice) => StoreRequest)[] = [
  (choice) => [
    'TransactWriteItems',
    {
      TransactItems: choice.times(6, () => {
        const kind = choice.of<WriteKind>(['Put', 'Put', 'Update', 'Delete', 'ConditionCheck']);
        return { [kind]: write(kind, choice) };
      }),
      ReturnConsumedCapacity,
    },
  ],
  (choice) => ['PutItem', { ...write('Put', choice), ReturnConsumedCapacity }],
  (choice) => ['DeleteItem', { ...write('Delete', choice), ReturnValues: choice.of(['NONE', 'ALL_OLD']) }],
  (choice) => [
    'UpdateItem',
    {
      ...write('Update', choice),
      ReturnValues: choice.of(['NONE', 'ALL_NEW', 'UPDATED_NEW']),
      ReturnConsumedCapacity,
    },
  ],
  (choice) => ['GetItem', { TableName, Key: key(choice), ConsistentRead: true, ReturnConsumedCapacity }],
  (choice) => [
    'BatchGetItem',
    {
      RequestItems: { [TableName]: { Keys: choice.times(5, () => key(choice)), ConsistentRead: choice.isLikely(0.8) } },
      ReturnConsumedCapacity,
    },
  ],
  query,
  query,
  (choice) => [
    'Query',
    {
      TableName,
      IndexName: tableDefinition.eventLog.name,
      KeyConditionExpression: '#log = :log AND #at BETWEEN :from AND :to',
      ExpressionAttributeNames: {
        '#log': tableDefinition.eventLog.partitionKey,
        '#at': tableDefinition.eventLog.sortKey,
      },
      ExpressionAttributeValues: { ':log': { S: 'EVENTS' }, ':from': { S: '2026-02' }, ':to': { S: '2026-04' } },
      ScanIndexForward: choice.isLikely(0.5),
      ReturnConsumedCapacity,
    },
  ],
];

function query(choice: Choice): StoreRequest {
  const part = choice.of(['', ' AND begins_with(sk, :sk)', ' AND sk < :sk', ' AND sk BETWEEN :sk AND :end']);
  const projected = choice.isLikely(0.3);
  return [
    'Query',
    {
      TableName,
      KeyConditionExpression: `pk = :pk${part}`,
      ExpressionAttributeValues: {
        ':pk': { S: choice.of(partitions) },
        ...(part.includes(':sk') && { ':sk': { S: choice.of(sortKeys) } }),
        ...(part.includes(':end') && { ':end': { S: '~~' } }),
      },
      ...(projected && { ProjectionExpression: '#a0, #a1', ExpressionAttributeNames: { '#a0': 'sk', '#a1': 'text' } }),
      ScanIndexForward: choice.isLikely(0.5),
      ConsistentRead: choice.isLikely(0.8),
      ...(choice.isLikely(0.4) && { Limit: choice.of([1, 2, 5]) }),
      ReturnConsumedCapacity,
    },
  ];
}

/** A request for one of the table's few items, so that conditions often meet something. */
export const anyRequest = (choice: Choice): StoreRequest => choice.of(makers)(choice);
