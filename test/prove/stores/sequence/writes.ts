import type { Choice } from './choice.ts';
import type { StoreRequest } from './requests.ts';
import { itemOf, keyOf, numbers, TableName, texts } from './values.ts';

/** The conditions that the table's code makes, and their relatives. */
const conditions = [
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  '#version = :number',
  '#version = :number AND #text = :text AND attribute_not_exists(#is)',
  'attribute_not_exists(amount) OR amount > :number',
  'attribute_not_exists(amount) OR amount <= :number OR #text = :text',
  '(attribute_not_exists(amount) OR amount = :number)',
  'attribute_exists(pk) AND (attribute_not_exists(amount) OR amount = :number)',
  '(attribute_not_exists(#version) OR #version = :number) AND amount = :low',
  'amount <= :number',
  'amount >= :number',
  '#text < :text',
  'sk > :start',
  '#version BETWEEN :low AND :high',
  '#is = :true',
  '#none = :null',
  'begins_with(#text, :start)',
];

const updates = [
  'ADD amount :by',
  'ADD amount :by, #version :by',
  'ADD #text :by',
  'SET #version = :new',
  'SET #text = :text, #is = :true, #none = :null',
  'SET #text = if_not_exists(#text, :text)',
  'ADD amount :by SET #text = :text, #version = if_not_exists(#version, :new)',
  'SET #log = :text',
  'SET #at = :start',
];

const names = { '#version': 'version', '#text': 'text', '#is': 'is', '#none': 'none', '#log': 'log', '#at': 'at' };

const valuesOf = (choice: Choice) => ({
  ':number': { N: choice.of(numbers) },
  ':low': { N: '-100' },
  ':high': { N: '7.00' },
  ':text': { S: choice.of(texts) },
  ':start': { S: choice.of(['short', 'l', '\u{1f600}']) },
  ':true': { BOOL: true },
  ':null': { NULL: true },
  ':new': { N: choice.of(numbers) },
  ':by': { N: choice.of(numbers) },
});

/** Only the placeholders that a text has: the store refuses others. */
export function placeholdersIn(text: string, choice: Choice) {
  const used = (all: object) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}\\b`).test(text)));
  const [ExpressionAttributeNames, ExpressionAttributeValues] = [used(names), used(valuesOf(choice))];
  return {
    ...(Object.keys(ExpressionAttributeNames).length > 0 && { ExpressionAttributeNames }),
    ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
  };
}

export type ActionKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

export function writeOf(kind: ActionKind, choice: Choice) {
  const UpdateExpression = kind === 'Update' ? choice.of(updates) : undefined;
  const ConditionExpression = kind === 'ConditionCheck' || choice.isLikely(0.5) ? choice.of(conditions) : undefined;
  return {
    TableName,
    ...(kind === 'Put' ? { Item: itemOf(choice) } : { Key: keyOf(choice) }),
    ...(UpdateExpression !== undefined && { UpdateExpression }),
    ...(ConditionExpression !== undefined && { ConditionExpression }),
    ...placeholdersIn(`${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`, choice),
    ...choice.maybe(0.3, () => ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
  };
}

const kinds = ['Put', 'Put', 'Update', 'Update', 'Delete', 'ConditionCheck'] as const;

/** A transaction, of several writes of one item now and then. */
export function transactionOf(choice: Choice, token?: string): StoreRequest {
  const TransactItems = choice.times(6, () => {
    const kind = choice.of(kinds);
    return { [kind]: writeOf(kind, choice) };
  });
  return [
    'TransactWriteItems',
    { TransactItems, ...(token && { ClientRequestToken: token }), ReturnConsumedCapacity: 'TOTAL' },
  ];
}

/** A write of one item. */
export function singleWriteOf(choice: Choice): StoreRequest {
  const kind = choice.of(['Put', 'Update', 'Update', 'Delete'] as const);
  const returned = kind === 'Update' ? ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_NEW'] : ['NONE', 'ALL_OLD'];
  return [
    `${kind}Item`,
    { ...writeOf(kind, choice), ReturnValues: choice.of(returned), ReturnConsumedCapacity: 'TOTAL' },
  ];
}

/** Writes of several items, each by itself. */
export function batchWriteOf(choice: Choice): StoreRequest {
  const writes = choice.times(5, () =>
    choice.isLikely(0.3) ? { DeleteRequest: { Key: keyOf(choice) } } : { PutRequest: { Item: itemOf(choice) } },
  );
  return ['BatchWriteItem', { RequestItems: { [TableName]: writes }, ReturnConsumedCapacity: 'TOTAL' }];
}
