import { beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { buildCreateTableInput } from '../../../../lib/store/client/tables.ts';
import { createAsk } from './create-ask.ts';

// agreement.test.ts compares what two stores refuse. This file tests the messages, and what only this store refuses.

const TableName = 'table';
const key = { pk: { S: 'p' }, sk: { S: 's' } };
const one = { ExpressionAttributeValues: { ':one': { N: '1' } } };
const nameOf = (name: string) => ({ ExpressionAttributeNames: { '#n': name } });
const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ ...key, sk: { S: `${index}` } }));
const creation = buildCreateTableInput('another');
const textKey = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });

let store: SqliteStore;
const ask = (operation: string, input: object) => createAsk(store)(operation, input);

beforeEach(async () => {
  store = await openSqliteStore(undefined);
  await ask('CreateTable', buildCreateTableInput(TableName));
  await ask('PutItem', { TableName, Item: { ...key, text: { S: 'text' } } });
});

/** Invalid inputs of an operation, each with a pattern of the message. */
type Mistakes = readonly (readonly [title: string, input: object, message: RegExp])[];

function testRefusals(operation: string, validInput: object, mistakes: Mistakes): void {
  test.each(mistakes)(`${operation} refuses %s, and changes nothing`, async (_title, input, message) => {
    expect(await ask(operation, { ...validInput, ...input })).toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
    expect((await ask('Scan', { TableName })).Items).toEqual([{ ...key, text: { S: 'text' } }]);
  });
}

testRefusals('PutItem', { TableName }, [
  ['ill-formed Unicode', { Item: { ...key, text: { S: '\ud800' } } }, /has text that is not Unicode/],
  ['a name in ill-formed Unicode', { Item: { ...key, '\ud800': { S: '' } } }, /not Unicode/],
  ['an item above 400 kB', { Item: { ...key, text: { S: 'x'.repeat(400 * 1024) } } }, /maximum allowed size/],
  ['an empty key', { Item: { ...key, pk: { S: '' } } }, /schema: pk must be a string of 1 to 2048/],
  ['a sort key that is too long', { Item: { ...key, sk: { S: 'é'.repeat(513) } } }, /sk must be a string of 1 to 1024/],
  ['a partition key that is too long', { Item: { ...key, pk: { S: 'x'.repeat(2049) } } }, /pk must be a string/],
  ['an item without its key', { Item: { pk: key.pk } }, /sk must be a string/],
  ['no item', {}, /pk must be a string/],
  ['a key of the index that is not a string', { Item: { ...key, log: { N: '1' } } }, /key log must be a string/],
  ['an empty key of the index', { Item: { ...key, at: { S: '' } } }, /key at must be a string that is not empty/],
  ['a value of an unknown type', { Item: { ...key, x: { X: 1 } } }, /exactly one of the supported datatypes/],
  ['a list', { Item: { ...key, x: { L: [] } } }, /supported datatypes/],
  ['a value of two types', { Item: { ...key, x: { S: '', BOOL: true } } }, /supported datatypes/],
  ['an unknown table', { TableName: 'nowhere', Item: key }, /non-existent table/],
]);

testRefusals('UpdateItem', { TableName, Key: key }, [
  ['an unsupported clause', { UpdateExpression: 'REMOVE n' }, /"REMOVE" is not supported/],
  ['a clause in small letters', { UpdateExpression: 'add n :one', ...one }, /"add" is not supported/],
  ['a default for another attribute', { UpdateExpression: 'SET n = if_not_exists(m, :one)', ...one }, /"m" is not/],
  ['a function that is not closed', { UpdateExpression: 'SET n = if_not_exists(n, :one', ...one }, /ends too early/],
  ['a function without parentheses', { UpdateExpression: 'SET n = if_not_exists n, :one', ...one }, /"n" is not/],
  ['a function without a comma', { UpdateExpression: 'SET n = if_not_exists(n :one)', ...one }, /":one" is not/],
  ['a third argument', { UpdateExpression: 'SET n = if_not_exists(n, :one, :one)', ...one }, /"," is not/],
  ['two values', { UpdateExpression: 'SET n = :one :one', ...one }, /":one" is not supported/],
  ['an assignment without an equals sign', { UpdateExpression: 'SET n :one', ...one }, /":one" is not supported/],
  ['an attribute as a value', { UpdateExpression: 'ADD n m' }, /"m" is not supported/],
  ['a value as an attribute', { UpdateExpression: 'ADD :one :one', ...one }, /":one" is not supported/],
  ['an undefined name', { UpdateExpression: 'SET #n = :one', ...one }, /name is not defined: #n/],
  ['an undefined value', { UpdateExpression: 'SET n = :one' }, /value is not defined: :one/],
  ['an unused value', one, /:one unused in expressions/],
  ['an unused name', nameOf('n'), /#n unused in expressions/],
  ['an ill-formed name', { UpdateExpression: 'SET #n = :one', ...one, ...nameOf('\ud800') }, /not Unicode/],
  ['a number added to a string', { UpdateExpression: 'ADD #n :one', ...one, ...nameOf('text') }, /incorrect data type/],
  ['a change of the partition key', { UpdateExpression: 'SET pk = :one', ...one }, /it is part of the key/],
  ['a change of the sort key', { UpdateExpression: 'SET n = :one, sk = :one', ...one }, /it is part of the key/],
  ['more than a key', { Key: { ...key, n: { N: '1' } } }, /a key must have exactly two attributes/],
]);

testRefusals('DeleteItem', { TableName, Key: key, ...one }, [
  ['a condition that ends early', { ConditionExpression: 'n = :one AND n =' }, /ends too early/],
  ['a function that ends early', { ConditionExpression: 'begins_with(n, :one' }, /ends too early/],
  ['a parenthesis that is not closed', { ConditionExpression: '(n = :one' }, /ends too early/],
  ['a parenthesis that was not opened', { ConditionExpression: 'n = :one)' }, /"\)" is not supported/],
  ['a word after the end of a condition', { ConditionExpression: 'n = :one n' }, /"n" is not supported/],
  ['an unsupported operator', { ConditionExpression: 'n <> :one' }, /is not supported/],
  ['an unsupported function', { ConditionExpression: 'contains(n, :one)' }, /"contains" is not supported/],
  ['a superfluous argument', { ConditionExpression: 'attribute_exists(n, :one)' }, /"attribute_exists" is not/],
  ['a missing argument', { ConditionExpression: 'begins_with(n) AND n = :one' }, /"begins_with" is not/],
  ['a range without its end', { ConditionExpression: 'n BETWEEN :one OR n = :one' }, /"OR" is not supported/],
  ['a value as an attribute', { ConditionExpression: ':one = :one' }, /":one" is not supported/],
  ['an attribute as a value', { ConditionExpression: 'n = :one AND n = n' }, /"n" is not supported/],
  ['a nested attribute', { ConditionExpression: 'a.b = :one' }, /"\." is not supported/],
  ['a condition that fails', { ConditionExpression: 'n = :one' }, /The conditional request failed/],
]);

const partition = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': key.pk } };
const range = (KeyConditionExpression: string, from: object = { S: 'a' }, to?: object) => ({
  KeyConditionExpression,
  ExpressionAttributeValues: { ...partition.ExpressionAttributeValues, ':from': from, ...(to && { ':to': to }) },
});

testRefusals('Query', { TableName, ...partition }, [
  ['two conditions on the sort key', range('pk = :pk AND sk > :from AND sk < :from'), /key condition not supported/],
  ['a range of partitions', { KeyConditionExpression: 'pk >= :pk' }, /key condition not supported/],
  ['a sort key alone', { KeyConditionExpression: 'sk = :pk' }, /key condition not supported/],
  ['two partitions', range('pk = :pk OR pk = :from'), /"OR" is not supported/],
  ['alternatives in parentheses', range('pk = :pk AND (sk = :from OR sk < :from)'), /"OR" is not supported/],
  ['another attribute', range('pk = :pk AND n = :from'), /key condition not supported/],
  ['a sort key that only exists', { KeyConditionExpression: 'pk = :pk AND attribute_exists(sk)' }, /not supported/],
  ['an empty sort key', range('pk = :pk AND sk = :from', { S: '' }), /a key cannot be an empty string/],
  ['a number as a sort key', range('pk = :pk AND sk = :from', { N: '1' }), /a key cannot be an empty string/],
  ['an end below the beginning', range('pk = :pk AND sk BETWEEN :from AND :to', { S: 'b' }, { S: 'a' }), /upper bound/],
  ['a filter', { FilterExpression: 'n = :pk' }, /does not support FilterExpression/],
  ['no condition', { KeyConditionExpression: undefined, ExpressionAttributeValues: undefined }, /ends too early/],
  ['a projection that ends with a comma', { ProjectionExpression: 'sk,' }, /ends too early/],
  ['a start key that is not a key', { ExclusiveStartKey: { pk: key.pk } }, /must have exactly two attributes/],
]);

const ofLog = { KeyConditionExpression: 'log = :log', ExpressionAttributeValues: { ':log': { S: 'L' } } };
testRefusals('Query', { TableName, IndexName: 'eventLog', ...ofLog }, [
  ['a consistent read of an index', { ConsistentRead: true }, /does not support consistent reads/],
  ['an unknown index', { IndexName: 'other' }, /does not have the specified index/],
  ['a limit of zero', { Limit: 0 }, /Limit must be greater than or equal to 1/],
  ['a sort key of the index alone', { KeyConditionExpression: 'at = :log' }, /key condition not supported/],
  ['a range of partitions of the index', { KeyConditionExpression: 'log > :log' }, /key condition not supported/],
  ['a start key without the key of the index', { ExclusiveStartKey: key }, /schema: log must be a string/],
  ['two conditions on the partition', { KeyConditionExpression: 'log = :log AND log = :log' }, /not supported/],
  ['a condition on a key of the table', { KeyConditionExpression: 'log = :log AND pk = :log' }, /not supported/],
]);

testRefusals('BatchGetItem', {}, [
  ['a request without tables', { RequestItems: {} }, /length greater than or equal to 1/],
  ['no keys', { RequestItems: { [TableName]: { Keys: [] } } }, /length greater than or equal to 1/],
  ['a key twice', { RequestItems: { [TableName]: { Keys: [key, key] } } }, /list of item keys contains duplicates/],
  ['more than 100 keys', { RequestItems: { [TableName]: { Keys: keys(101) } } }, /Too many items .* BatchGetItem call/],
  ['a key that is null', { RequestItems: { [TableName]: { Keys: [null] } } }, /not have the form/],
  ['AttributesToGet', { RequestItems: { [TableName]: { Keys: [key], AttributesToGet: ['n'] } } }, /AttributesToGet/],
  [
    'a projection',
    { RequestItems: { [TableName]: { Keys: [key], ProjectionExpression: 'n' } } },
    /ProjectionExpression/,
  ],
]);
testRefusals('GetItem', { TableName, Key: key }, [
  ['a projection', { ProjectionExpression: 'n' }, /ProjectionExpression/],
]);

const removal = (Key: object) => ({ DeleteRequest: { Key } });
testRefusals('BatchWriteItem', {}, [
  ['no writes', { RequestItems: { [TableName]: [] } }, /length greater than or equal to 1/],
  ['an item twice', { RequestItems: { [TableName]: [removal(key), removal(key)] } }, /keys contains duplicates/],
  ['more than 25 writes', { RequestItems: { [TableName]: keys(26).map(removal) } }, /Too many .* BatchWriteItem call/],
]);

const deletion = (Key: object) => ({ Delete: { TableName, Key } });
const large = (Key: object) => ({ Put: { TableName, Item: { ...Key, text: { S: 'x'.repeat(400_000) } } } });
const failing = { ConditionCheck: { TableName, Key: key, ConditionExpression: 'attribute_exists(n)' } };
testRefusals('TransactWriteItems', {}, [
  ['no writes', { TransactItems: [] }, /length greater than or equal to 1/],
  ['more than 100 writes', { TransactItems: keys(101).map(deletion) }, /length less than or equal to 100/],
  ['an item twice', { TransactItems: [deletion(key), deletion(key)] }, /multiple operations on one item/],
  ['more than 4 MB', { TransactItems: keys(11).map(large) }, /size cannot exceed 4MB: 4400\d\d\d bytes/],
  ['an unsupported action', { TransactItems: [{ Get: { TableName, Key: key } }] }, /only contain one of Check/],
  ['two actions in one', { TransactItems: [{ ...deletion(key), ...large(key) }] }, /only contain one of Check/],
  ['a check without a condition', { TransactItems: [{ ConditionCheck: { TableName, Key: key } }] }, /needs a Cond/],
  ['a condition that fails', { TransactItems: [deletion({ ...key, sk: { S: '2' } }), failing] }, /\[None, Conditi/],
]);

testRefusals('CreateTable', creation, [
  ['a name that is too short', { TableName: 'ab' }, /3 to 255 of the characters/],
  ['a name with other characters', { TableName: 'table/a' }, /3 to 255 of the characters/],
  ['a name with another first character', { TableName: '/table' }, /3 to 255 of the characters/],
  ['no name', { TableName: undefined }, /3 to 255 of the characters/],
  ['the name of an existing table', { TableName }, /already exists: table/],
  ['a second index', { GlobalSecondaryIndexes: [1, 2].flatMap(() => creation.GlobalSecondaryIndexes) }, /no more than/],
  ['a local index', { LocalSecondaryIndexes: [{}] }, /no more than one global secondary index/],
  ['a key without a sort key', { KeySchema: creation.KeySchema?.slice(0, 1) }, /a partition key and a sort key/],
  ['no key', { KeySchema: undefined }, /both strings/],
  ['no attributes', { AttributeDefinitions: undefined }, /both strings/],
  ['a key of an unknown attribute', { AttributeDefinitions: ['pk', 'log', 'at'].map(textKey) }, /both strings/],
  [
    'a key that is a number',
    { AttributeDefinitions: [...['pk', 'log', 'at'].map(textKey), { AttributeName: 'sk', AttributeType: 'N' }] },
    /both strings/,
  ],
]);

testRefusals('PartiQL', {}, [['everything: it is unknown', {}, /has no operation PartiQL/]]);
testRefusals('Scan', { TableName }, [
  ['Select', { Select: 'COUNT' }, /does not support Select/],
  ['AttributesToGet', { AttributesToGet: ['n'] }, /does not support AttributesToGet/],
]);
testRefusals('PutItem', { TableName, Item: key }, [['Expected', { Expected: {} }, /does not support Expected/]]);

describe('A refusal has the error name of the SDK:', () => {
  test.each([
    ['ValidationException', 'PutItem', { TableName }],
    ['ResourceNotFoundException', 'DescribeTable', { TableName: 'nowhere' }],
    ['ResourceInUseException', 'CreateTable', buildCreateTableInput(TableName)],
    [
      'ConditionalCheckFailedException',
      'DeleteItem',
      { TableName, Key: key, ConditionExpression: 'attribute_exists(n)' },
    ],
    ['TransactionCanceledException', 'TransactWriteItems', { TransactItems: [failing] }],
    ['UnknownOperationException', 'PartiQL', {}],
    ['SerializationException', 'BatchGetItem', { RequestItems: { [TableName]: { Keys: [null] } } }],
  ])('%s', async (name, operation, input) => {
    expect((await ask(operation, input)).__type).toBe(`com.amazonaws.dynamodb.v20120810#${name}`);
  });
});
