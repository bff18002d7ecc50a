import { tableDefinition } from '../../../../lib/store/client/definition.ts';
import type { Choice } from './choice.ts';
import type { StoreRequest } from './requests.ts';
import { keyOf, TableName } from './values.ts';
import { placeholdersIn, writeOf } from './writes.ts';

const { eventLog } = tableDefinition;

/** Values that the store does not take. */
const wrongValues = [
  ...['1e126', '-1e126', '1e-131', '1'.repeat(39), `0.${'1'.repeat(40)}`, 'NaN', 'Infinity', ''].map((N) => ({ N })),
  {},
  { S: 'text', N: '1' },
  // Half of a pair of UTF-16, which JSON escapes.
  { S: 'half \ud800 pair' },
];

/** Keys that the store does not take. */
const wrongKeys = [
  {},
  { pk: { S: 'a' } },
  { sk: { S: '1' } },
  { pk: { S: '' }, sk: { S: '1' } },
  { pk: { S: 'a' }, sk: { S: '' } },
  { pk: { S: 'a' }, sk: { N: '1' } },
  { pk: { S: 'a' }, sk: { S: '1' }, text: { S: 'more' } },
  { pk: { S: 'a' }, sk: { S: '\udc00' } },
];

/** Attributes that cannot be those of the index. */
const wrongForIndex = [
  { [eventLog.partitionKey]: { N: '1' } },
  { [eventLog.sortKey]: { S: '' } },
  { [eventLog.partitionKey]: { S: 'EVENTS' }, [eventLog.sortKey]: { BOOL: true } },
];

/** Conditions that no store takes. */
const wrongConditions = ['amount = :unknown', '#unknown = :number', 'amount = :number AND', '(amount = :number'];

/** Updates that no store takes, or not of every item. */
const wrongUpdates = ['SET amount', 'SET amount = :unknown', 'SET pk = :text', 'ADD amount :text'];

/** Conditions of queries that no store takes. */
const wrongKeyConditions = ['sk = :sk', 'pk < :pk', 'pk = :pk AND sk <> :sk', 'pk = :pk AND amount = :sk'];

type Maker = (choice: Choice) => StoreRequest;

/** Requests that a store refuses, whatever it holds, or most of the time. */
export const mistakes: readonly Maker[] = [
  (choice) => ['PutItem', { TableName, Item: { ...keyOf(choice), value: choice.of(wrongValues) } }],
  (choice) => ['PutItem', { TableName, Item: { ...keyOf(choice), ...choice.of(wrongForIndex) } }],
  (choice) => {
    const by = { ':by': choice.of(wrongValues) };
    return [
      'UpdateItem',
      { TableName, Key: keyOf(choice), UpdateExpression: 'SET text = :by', ExpressionAttributeValues: by },
    ];
  },
  (choice) => ['PutItem', { TableName, Item: choice.of(wrongKeys.slice(0, -2)) }],
  (choice) => ['GetItem', { TableName, Key: choice.of(wrongKeys) }],
  (choice) => ['DeleteItem', { TableName, Key: choice.of(wrongKeys) }],
  (choice) => ['BatchGetItem', { RequestItems: { [TableName]: { Keys: [keyOf(choice), choice.of(wrongKeys)] } } }],
  (choice) => transacted([{ Put: writeOf('Put', choice) }, { Delete: { TableName, Key: choice.of(wrongKeys) } }]),
  (choice) => transacted([{ Put: { TableName, Item: { ...keyOf(choice), value: choice.of(wrongValues) } } }]),
  (choice) => transacted([{ Update: updating(choice, choice.of(wrongUpdates)) }]),
  () => transacted([]),
  (choice) => transacted([{ ConditionCheck: { TableName, Key: keyOf(choice) } }]),
  (choice) => ['UpdateItem', updating(choice, choice.of(wrongUpdates))],
  // Even by what it is already.
  (choice) => {
    const Key = keyOf(choice);
    const by = { ':pk': Key.pk };
    return ['UpdateItem', { TableName, Key, UpdateExpression: 'SET pk = :pk', ExpressionAttributeValues: by }];
  },
  (choice) => {
    const ConditionExpression = choice.of(wrongConditions);
    return [
      'DeleteItem',
      { TableName, Key: keyOf(choice), ConditionExpression, ...placeholdersIn(ConditionExpression, choice) },
    ];
  },
  // A placeholder that no expression has.
  (choice) => {
    const more = choice.of([
      { ExpressionAttributeValues: { ':more': { N: '1' } } },
      { ExpressionAttributeNames: { '#more': 'more' } },
    ]);
    return ['DeleteItem', { TableName, Key: keyOf(choice), ConditionExpression: 'attribute_exists(pk)', ...more }];
  },
  (choice) => {
    const KeyConditionExpression = choice.of(wrongKeyConditions);
    const values = { ':pk': { S: 'a' }, ':sk': { S: 'x' } };
    const used = Object.entries(values).filter(([name]) => KeyConditionExpression.includes(name));
    const ExpressionAttributeValues = used.length > 0 && { ExpressionAttributeValues: Object.fromEntries(used) };
    return ['Query', { TableName, KeyConditionExpression, ...ExpressionAttributeValues }];
  },
  (choice) => querying(choice.of([{ Limit: 0 }, { Limit: -1 }, { IndexName: 'unknown' }])),
  (choice) => querying({ ExclusiveStartKey: choice.of([{}, { pk: { S: 'a' } }, { pk: { S: 'a' }, sk: { N: '1' } }]) }),
  () => [
    'Query',
    {
      TableName,
      IndexName: eventLog.name,
      KeyConditionExpression: '#log = :log',
      ExpressionAttributeNames: { '#log': eventLog.partitionKey },
      ExpressionAttributeValues: { ':log': { S: 'EVENTS' } },
      ConsistentRead: true,
    },
  ],
  () => ['BatchGetItem', { RequestItems: { [TableName]: { Keys: [] } } }],
  () => ['BatchGetItem', { RequestItems: {} }],
  () => ['BatchWriteItem', { RequestItems: {} }],
  (choice) => ['GetItem', { TableName: 'unknown', Key: keyOf(choice) }],
  (choice) => ['TransactWriteItems', { TransactItems: [{ Delete: { TableName: 'unknown', Key: keyOf(choice) } }] }],
];

const transacted = (TransactItems: readonly object[]): StoreRequest => ['TransactWriteItems', { TransactItems }];
const updating = (choice: Choice, UpdateExpression: string) => ({
  TableName,
  Key: keyOf(choice),
  UpdateExpression,
  ...placeholdersIn(UpdateExpression, choice),
});
const querying = (more: object): StoreRequest => [
  'Query',
  { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': { S: 'a' } }, ...more },
];
