import { tableDefinition } from '../../../../lib/store/client/definition.ts';
import type { Choice } from './choice.ts';
import type { StoreRequest } from './requests.ts';
import { indexTimes, keyOf, partitions, sortBounds, TableName } from './values.ts';

const ReturnConsumedCapacity = 'TOTAL';

export function anyReadOf(choice: Choice): StoreRequest {
  return choice.of([getOf, batchGetOf, batchGetOf, queryOf, queryOf, queryOf, indexQueryOf, scanOf])(choice);
}

const projection = { ProjectionExpression: '#a0, #a1', ExpressionAttributeNames: { '#a0': 'sk', '#a1': 'text' } };

const getOf = (choice: Choice): StoreRequest => [
  'GetItem',
  {
    TableName,
    Key: keyOf(choice),
    ConsistentRead: choice.isLikely(0.8),
    ReturnConsumedCapacity,
  },
];

const batchGetOf = (choice: Choice): StoreRequest => [
  'BatchGetItem',
  {
    RequestItems: {
      [TableName]: { Keys: choice.times(5, () => keyOf(choice)), ConsistentRead: choice.isLikely(0.8) },
    },
    ReturnConsumedCapacity,
  },
];

/** The conditions on a sort key that the table's code makes, and their relatives. */
const ranges = [
  '',
  ' AND begins_with(sk, :sk)',
  ' AND sk < :sk',
  ' AND sk BETWEEN :sk AND :end',
  ' AND sk = :sk',
  ' AND sk >= :sk',
];

const pageOf = (choice: Choice) => ({
  ScanIndexForward: choice.isLikely(0.5),
  ...choice.maybe(0.4, () => ({ Limit: choice.of([1, 2, 5]) })),
  ReturnConsumedCapacity,
});

function queryOf(choice: Choice): StoreRequest {
  const range = choice.of(ranges);
  return [
    'Query',
    {
      TableName,
      KeyConditionExpression: `pk = :pk${range}`,
      ExpressionAttributeValues: {
        ':pk': { S: choice.of(partitions) },
        ...(range.includes(':sk') && { ':sk': { S: choice.of(sortBounds) } }),
        ...(range.includes(':end') && { ':end': { S: choice.of(['x#', '~~', '\u{10ffff}']) } }),
      },
      ...choice.maybe(0.3, () => projection),
      ConsistentRead: choice.isLikely(0.8),
      ...pageOf(choice),
    },
  ];
}

function indexQueryOf(choice: Choice): StoreRequest {
  const { name, partitionKey, sortKey } = tableDefinition.eventLog;
  return [
    'Query',
    {
      TableName,
      IndexName: name,
      KeyConditionExpression: '#log = :log AND #at BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#log': partitionKey, '#at': sortKey },
      ExpressionAttributeValues: {
        ':log': { S: 'EVENTS' },
        ':from': { S: choice.of(indexTimes) },
        ':to': { S: choice.of(indexTimes) },
      },
      ...pageOf(choice),
    },
  ];
}

const scanOf = (choice: Choice): StoreRequest => [
  'Scan',
  {
    TableName,
    ConsistentRead: choice.isLikely(0.8),
    ...choice.maybe(0.3, () => ({ Limit: choice.of([1, 2, 5]) })),
    ReturnConsumedCapacity,
  },
];
