import { beforeEach, describe, expect, test } from 'vitest';
import { openSqliteStore, type SqliteStore } from '../../../../infra/local/sqlite/sqlite-store.ts';
import { buildCreateTableInput } from '../../../../lib/store/client/tables.ts';
import { createAsk } from './create-ask.ts';

// agreement.test.ts compares this store with another one. This file tests what the other store does not support, or does differently.

const TableName = 'table';
let store: SqliteStore;

const ask = (operation: string, input: object) => createAsk(store)(operation, input);

beforeEach(async () => {
  store = await openSqliteStore(undefined);
  await ask('CreateTable', buildCreateTableInput(TableName));
});

const key = { pk: { S: 'p' }, sk: { S: 's' } };
const put = (item: object) => ask('PutItem', { TableName, Item: { ...key, ...item } });
const found = async () => (await ask('GetItem', { TableName, Key: key, ConsistentRead: true })).Item;
const refused = (message: RegExp) => ({ status: 400, message: expect.stringMatching(message) });

describe('Numbers', () => {
  test.each([
    ['1e21', '1000000000000000000000'],
    ['-0', '0'],
    ['00.50', '0.5'],
    ['-1.5e-3', '-0.0015'],
    ['12300', '12300'],
    ['9.9e125', `99${'0'.repeat(124)}`],
    ['-1e-130', `-0.${'0'.repeat(129)}1`],
    ['1200e-131', `0.${'0'.repeat(127)}12`],
    [`-${'1'.repeat(38)}`, `-${'1'.repeat(38)}`],
    ['0e-200', '0'],
    ['+5', '5'],
    ['+1e+2', '100'],
    ['.5', '0.5'],
    ['5.', '5'],
  ])('%s is stored exactly, in normalized form', async (written, stored) => {
    await put({ n: { N: written } });
    expect(await found()).toEqual({ ...key, n: { N: stored } });
  });

  test.each([
    ['1e126', /overflow/],
    ['-1e300', /overflow/],
    ['1e-131', /underflow/],
    ['1'.repeat(39), /38 significant digits/],
    ['NaN', /numeric/],
    ['.', /numeric/],
    ['', /numeric/],
    ['+-5', /numeric/],
    ['5 ', /numeric/],
    ['1e', /numeric/],
  ])('%s is refused, as by DynamoDB', async (written, message) => {
    expect(await put({ n: { N: written } })).toMatchObject(refused(message));
  });

  test('are added exactly', async () => {
    await put({ n: { N: '0.1' } });
    const add = (by: string) =>
      ask('UpdateItem', {
        TableName,
        Key: key,
        UpdateExpression: 'ADD n :by',
        ExpressionAttributeValues: { ':by': { N: by } },
      });
    await add('0.2');
    expect((await found()).n).toEqual({ N: '0.3' });
    expect(await add('1e37')).toMatchObject(refused(/38 significant digits/));
    await put({ n: { S: 'text' } });
    expect(await add('1')).toMatchObject(refused(/data type/));
  });
});

test.each([
  ['-2', '<', '1'],
  ['10', '>', '9'],
  ['0.1', '<', '0.11'],
  ['-0.1', '>', '-0.11'],
  ['1e30', '>', '9e29'],
  ['9007199254740993', '>', '9007199254740992'],
  ['12345678901234567890', '<', '12345678901234567891'],
  ['5', '<', '5.5'],
  ['1', '<', '1.00000000000000000001'],
  ['2.50', '=', '25e-1'],
  ['3', '=', '3'],
])('Numbers are compared by their values: %s %s %s', async (first, order, second) => {
  await put({ n: { N: first } });
  for (const operator of ['<', '<=', '=', '>=', '>']) {
    const { status } = await ask('PutItem', {
      TableName,
      Item: { ...key, n: { N: first } },
      ConditionExpression: `n ${operator} :n`,
      ExpressionAttributeValues: { ':n': { N: second } },
    });
    expect(status, operator).toBe(operator.includes(order) ? 200 : 400);
  }
});

test.each([
  [{ N: '0' }, 1],
  [{ N: '7' }, 2],
  [{ N: '12' }, 2],
  [{ N: '123' }, 3],
  [{ N: '-123' }, 4],
  [{ N: '120000' }, 2],
  [{ N: '100200' }, 3],
  [{ N: '0.00102' }, 3],
  [{ N: '10.01' }, 3],
  [{ BOOL: false }, 1],
  [{ NULL: true }, 1],
  [{ S: 'é€' }, 5],
])('%j has the size that DynamoDB documents: %i', async (value, bytes) => {
  const others = 'pkpskstv'.length + bytes;
  const unitsOf = async (length: number) => {
    const Item = { ...key, t: { S: 'x'.repeat(length) }, v: value };
    const { ConsumedCapacity } = await ask('PutItem', { TableName, Item, ReturnConsumedCapacity: 'TOTAL' });
    await ask('DeleteItem', { TableName, Key: key });
    return ConsumedCapacity.CapacityUnits;
  };
  expect(await unitsOf(1024 - others)).toBe(1);
  expect(await unitsOf(1024 - others + 1)).toBe(2);
});

const text = (S: string) => ({ S });
const number = (N: string) => ({ N });

test.each<[condition: string, values: Record<string, object>, isMet: boolean]>([
  ['begins_with(s, :a)', { ':a': text('man') }, true],
  ['begins_with(s, :a)', { ':a': text('go') }, false],
  ['begins_with(n, :a)', { ':a': text('5') }, false],
  ['begins_with(s, :a)', { ':a': number('5') }, false],
  ['begins_with(u, :a)', { ':a': number('5') }, false],
  ['n BETWEEN :a AND :b', { ':a': number('5'), ':b': number('5') }, true],
  ['n between :a and :b', { ':a': number('4'), ':b': number('6') }, true],
  ['n BETWEEN :a AND :b', { ':a': number('6'), ':b': number('7') }, false],
  ['n BETWEEN :a AND :b', { ':a': number('3'), ':b': number('4') }, false],
  ['n BETWEEN :a AND :b', { ':a': number('3'), ':b': text('6') }, false],
  ['s BETWEEN :a AND :b', { ':a': text('a'), ':b': text('n') }, true],
  ['s < :a', { ':a': text('n') }, true],
  ['s < :a', { ':a': number('9') }, false],
  ['s >= :a', { ':a': number('1') }, false],
  ['s = :a', { ':a': text('mango') }, true],
  ['s = :a', { ':a': text('melon') }, false],
  ['n = :a', { ':a': text('5') }, false],
  ['b = :a', { ':a': { BOOL: true } }, true],
  ['b = :a', { ':a': { BOOL: false } }, false],
  ['missing = :a', { ':a': text('') }, false],
  ['missing > :a', { ':a': number('0') }, false],
  ['n = :a OR s = :b AND b = :c', { ':a': number('5'), ':b': text(''), ':c': { BOOL: false } }, true],
  ['(n = :a or s = :b) and b = :c', { ':a': number('5'), ':b': text(''), ':c': { BOOL: false } }, false],
  ['attribute_exists(n) AND attribute_not_exists(missing)', {}, true],
  ['pk = :a AND sk = :b', { ':a': text('p'), ':b': text('s') }, true],
  ['pk = :a', { ':a': text('other') }, false],
])('The condition %s with %j is %s for an item', async (ConditionExpression, values, isMet) => {
  const item = { s: text('mango'), n: number('5'), b: { BOOL: true }, u: text('undefined') };
  await put(item);
  const ExpressionAttributeValues = Object.keys(values).length > 0 ? values : undefined;
  const Item = { ...key, ...item };
  expect(await ask('PutItem', { TableName, Item, ConditionExpression, ExpressionAttributeValues })).toMatchObject(
    isMet ? { status: 200 } : { status: 400, __type: expect.stringContaining('ConditionalCheckFailedException') },
  );
});

test('An update without changes creates an item with only its key, and does not change an existing item', async () => {
  for (const item of [key, { ...key, n: number('1') }]) {
    expect(await ask('UpdateItem', { TableName, Key: key })).toMatchObject({ status: 200 });
    expect(await found()).toEqual(item);
    await put({ n: number('1') });
  }
});

test('A batch of reads above 16 MB returns the other keys as unprocessed', async () => {
  const keys = Array.from({ length: 45 }, (_, index) => ({ ...key, sk: text(String(index)) }));
  for (const itemKey of keys) await put({ ...itemKey, text: text('x'.repeat(390 * 1024)) });
  let RequestItems = { [TableName]: { Keys: keys, ConsistentRead: true } };
  for (const items of [keys.slice(0, 42), keys.slice(42)]) {
    const answer = await ask('BatchGetItem', { RequestItems, ReturnConsumedCapacity: 'TOTAL' });
    expect(answer.Responses[TableName]).toMatchObject(items);
    expect(answer.ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 98 * items.length }]);
    RequestItems = answer.UnprocessedKeys;
  }
  expect(RequestItems).toEqual({});
});

const place = (log: string, at: string, about = 'x') => ({ log: text(log), at: text(at), about: text(about) });

test.each<[title: string, before: object, after: object, units: number]>([
  ['is not in the index', {}, { n: number('1') }, 1],
  ['has half of the key of the index', {}, { log: text('L') }, 1],
  ['enters the index', {}, place('L', '1'), 1 + 1],
  ['leaves the index', place('L', '1'), { log: text('L') }, 1 + 1],
  ['is the same in the index', place('L', '1'), { ...place('L', '1'), n: number('1') }, 1],
  ['changes in the index', place('L', '1'), place('L', '1', 'y'), 1 + 1],
  ['grows in the index', place('L', '1'), place('L', '1', 'x'.repeat(1024)), 2 + 2],
  ['shrinks in the index', place('L', '1', 'x'.repeat(1024)), place('L', '1'), 2 + 2],
  ['moves to another partition of the index', place('L', '1'), place('M', '1'), 1 + 2],
  ['moves within a partition of the index', place('L', '1', 'x'.repeat(1024)), place('L', '2'), 2 + 3],
])(
  'The write of an item that %s costs the units of the table and of the index',
  async (_title, before, after, units) => {
    await put(before);
    const ReturnConsumedCapacity = 'TOTAL';
    const check = { TableName, Key: key, ConditionExpression: 'attribute_exists(pk)' };
    const checked = { TransactItems: [{ ConditionCheck: check }], ReturnConsumedCapacity };
    const ofItem = Math.ceil(('pkpsks'.length + JSON.stringify(before).length) / 1024);
    expect((await ask('TransactWriteItems', checked)).ConsumedCapacity).toEqual([
      { TableName, CapacityUnits: 2 * ofItem },
    ]);
    const Item = { ...key, ...after };
    const { ConsumedCapacity } = await ask('PutItem', { TableName, Item, ReturnConsumedCapacity });
    expect(ConsumedCapacity).toEqual({ TableName, CapacityUnits: units });
  },
);

test('A deletion costs the units of the table and of the index, and is visible at once', async () => {
  await put(place('L', '1', 'x'.repeat(1024)));
  const removal = { TableName, Key: key, ReturnValues: 'ALL_OLD', ReturnConsumedCapacity: 'TOTAL' };
  const removed = await ask('DeleteItem', removal);
  expect(removed.Attributes).toEqual({ ...key, ...place('L', '1', 'x'.repeat(1024)) });
  expect(removed.ConsumedCapacity.CapacityUnits).toBe(2 + 2);
  expect(await found()).toBeUndefined();
  expect(await ask('DeleteItem', removal)).toEqual({ status: 200, ConsumedCapacity: { TableName, CapacityUnits: 1 } });
});

describe('A transaction', () => {
  const ReturnConsumedCapacity = 'TOTAL';
  const putting = (token: string | undefined, value: string) => {
    const TransactItems = [{ Put: { TableName, Item: { ...key, value: { S: value } } } }];
    return ask('TransactWriteItems', { ClientRequestToken: token, TransactItems, ReturnConsumedCapacity });
  };

  test('that is repeated with its token is not carried out again, and costs two reads', async () => {
    const value = 'x'.repeat(5000);
    expect((await putting('token', value)).ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 10 }]);
    await putting(undefined, 'second');
    expect((await putting('token', value)).ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 4 }]);
    expect((await found()).value).toEqual({ S: 'second' });
    expect(await putting('token', 'other')).toMatchObject({
      ...refused(/the same client token as a previous, but non-identical request/),
      __type: expect.stringContaining('IdempotentParameterMismatchException'),
    });
    await putting(undefined, 'second');
    expect((await found()).value).toEqual({ S: 'second' });
  });

  test('with a failed condition writes nothing, and returns the item if the request asks for it', async () => {
    await put({ value: { S: 'there' } });
    const failing = { Delete: { TableName, Key: key, ConditionExpression: 'attribute_not_exists(pk)' } };
    const other = { ...key, sk: { S: 'another' } };
    const TransactItems = [{ Put: { TableName, Item: other } }, failing];
    const reason = { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' };
    expect(await ask('TransactWriteItems', { TransactItems })).toMatchObject({
      ...refused(/^Transaction cancelled, .* \[None, ConditionalCheckFailed\]$/),
      CancellationReasons: [{ Code: 'None' }, reason],
    });
    const shown = { Delete: { ...failing.Delete, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } };
    const missing = { ConditionCheck: { ...shown.Delete, Key: other, ConditionExpression: 'attribute_exists(pk)' } };
    const { CancellationReasons } = await ask('TransactWriteItems', { TransactItems: [missing, shown] });
    expect(CancellationReasons).toEqual([reason, { ...reason, Item: { ...key, value: { S: 'there' } } }]);
    expect((await ask('Scan', { TableName })).Items).toHaveLength(1);
  });

  test('of exactly 4 MB is carried out', async () => {
    const sizes = [...Array.from({ length: 10 }, () => 400_000), 4 * 1024 * 1024 - 10 * 400_000];
    const TransactItems = sizes.map((bytes, index) => {
      const known = { ...key, sk: text(String.fromCharCode(97 + index)) };
      return { Put: { TableName, Item: { ...known, text: text('x'.repeat(bytes - 'pkpskstext'.length)) } } };
    });
    expect(await ask('TransactWriteItems', { TransactItems })).toMatchObject({ status: 200 });
  });

  test('may write items with the same key in two tables, and writes and reads return the units per table', async () => {
    await ask('CreateTable', buildCreateTableInput('other'));
    const items = { [TableName]: { ...key, n: number('1') }, other: { ...key, text: text('x'.repeat(5000)) } };
    const TransactItems = Object.entries(items).map(([name, Item]) => ({ Put: { TableName: name, Item } }));
    const written = await ask('TransactWriteItems', { TransactItems, ReturnConsumedCapacity });
    expect(written.ConsumedCapacity).toEqual([
      { TableName, CapacityUnits: 2 },
      { TableName: 'other', CapacityUnits: 10 },
    ]);
    const RequestItems = { [TableName]: { Keys: [key], ConsistentRead: true }, other: { Keys: [key] } };
    expect(await ask('BatchGetItem', { RequestItems, ReturnConsumedCapacity })).toEqual({
      status: 200,
      Responses: { [TableName]: [items[TableName]], other: [items.other] },
      UnprocessedKeys: {},
      ConsumedCapacity: [
        { TableName, CapacityUnits: 1 },
        { TableName: 'other', CapacityUnits: 1 },
      ],
    });
    expect((await ask('BatchGetItem', { RequestItems })).ConsumedCapacity).toBeUndefined();
  });
});

test.each([
  [undefined, undefined, undefined],
  ['NONE', undefined, undefined],
  ['ALL_OLD', { ...key, n: number('1'), m: number('5') }, undefined],
  ['ALL_NEW', { ...key, n: number('3'), m: number('5') }, { ...key, n: number('2') }],
  ['UPDATED_NEW', { n: number('3') }, { n: number('2') }],
])(
  'An update with ReturnValues %s returns %j, and %j if it created the item',
  async (ReturnValues, changed, created) => {
    const update = {
      ...{ TableName, Key: key, ReturnValues, UpdateExpression: 'ADD n :two' },
      ExpressionAttributeValues: { ':two': number('2') },
    };
    expect((await ask('UpdateItem', update)).Attributes).toEqual(created);
    await put({ n: number('1'), m: number('5') });
    expect((await ask('UpdateItem', update)).Attributes).toEqual(changed);
  },
);

describe('A query', () => {
  beforeEach(async () => {
    for (const sk of ['B', 'b', 'b\u{10ffff}z', 'c', 'z\u{10400}', 'z\uffee']) await put({ sk: { S: sk } });
  });

  const query = async (condition: string, sk: string, more: object = {}) => {
    const { Items, LastEvaluatedKey } = await ask('Query', {
      TableName,
      KeyConditionExpression: `pk = :pk AND ${condition}`,
      ExpressionAttributeValues: { ':pk': { S: 'p' }, ':sk': { S: sk } },
      ...more,
    });
    return { found: Items.map((item: { sk: { S: string } }) => item.sk.S), last: LastEvaluatedKey?.sk.S };
  };

  test('for a prefix is case-sensitive, and returns all items with the prefix', async () => {
    expect(await query('begins_with(sk, :sk)', 'b')).toEqual({ found: ['b', 'b\u{10ffff}z'], last: undefined });
    expect(await query('begins_with(sk, :sk)', 'b\u{10ffff}')).toEqual({ found: ['b\u{10ffff}z'], last: undefined });
  });

  test('orders by bytes of UTF-8, not by units of UTF-16', async () => {
    expect((await query('sk > :sk', 'c')).found).toEqual(['z\uffee', 'z\u{10400}']);
  });

  test('continues after the last item of a page, in both directions', async () => {
    const ExclusiveStartKey = { pk: { S: 'p' }, sk: { S: 'b' } };
    expect(await query('sk >= :sk', 'B', { Limit: 2 })).toEqual({ found: ['B', 'b'], last: 'b' });
    expect((await query('sk >= :sk', 'B', { ExclusiveStartKey, Limit: 1 })).found).toEqual(['b\u{10ffff}z']);
    expect((await query('sk >= :sk', 'B', { ExclusiveStartKey, ScanIndexForward: false })).found).toEqual(['B']);
  });

  test('returns all of hundreds of items, in both directions', async () => {
    const names = Array.from({ length: 230 }, (_, index) => `m${1000 + index}`);
    for (const sk of names) await put({ sk: { S: sk } });
    expect((await query('begins_with(sk, :sk)', 'm')).found).toEqual(names);
    const backwards = { ScanIndexForward: false, Limit: 220 };
    expect((await query('begins_with(sk, :sk)', 'm', backwards)).found).toEqual(names.toReversed().slice(0, 220));
  });

  test.each([390 * 1024, 512 * 512])(
    'ends a page of items of %i bytes with the item that completes a megabyte',
    async (bytes) => {
      const sks = ['m1', 'm2', 'm3', 'm4', 'm5'];
      for (const sk of sks) await put({ sk: { S: sk }, text: { S: 'x'.repeat(bytes - 'pkpskm1text'.length) } });
      const found = sks.slice(0, Math.ceil((1024 * 1024) / bytes));
      expect(await query('begins_with(sk, :sk)', 'm')).toEqual({ found, last: found.at(-1) });
    },
  );
});

describe('A page of the index', () => {
  const places = [
    ['a', '1'],
    ['b', '2'],
    ['c', '2'],
    ['d', '3'],
    ['e', undefined],
  ] as const;
  beforeEach(async () => {
    for (const [sk, at] of places) {
      await put({ sk: text(sk), log: text('L'), ...(at && { at: text(at) }), about: text('x'), other: text('y') });
    }
    await put({ sk: text('f'), log: text('M'), at: text('2') });
  });

  /** Returns the items of each page of a request. */
  const pagesOf = async (operation: 'Query' | 'Scan', input: object) => {
    const pages: object[][] = [];
    let ExclusiveStartKey: object | undefined;
    do {
      const { Items, LastEvaluatedKey } = await ask(operation, {
        ...{ TableName, IndexName: 'eventLog', Limit: 2, ExclusiveStartKey },
        ...input,
      });
      pages.push(Items);
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
    return pages;
  };
  const ofLog = { KeyConditionExpression: 'log = :log', ExpressionAttributeValues: { ':log': text('L') } };
  const entry = (sk: string, at: string) => ({ ...key, sk: text(sk), log: text('L'), at: text(at), about: text('x') });
  const entries = [entry('a', '1'), entry('b', '2'), entry('c', '2'), entry('d', '3')];

  test('contains the attributes of the index, ordered by the keys of the index and then of the table, in both directions', async () => {
    expect(await pagesOf('Query', ofLog)).toEqual([entries.slice(0, 2), entries.slice(2), []]);
    const [d, c, b, a] = entries.toReversed();
    expect(await pagesOf('Query', { ...ofLog, ScanIndexForward: false })).toEqual([[d, c], [b, a], []]);
    expect(await pagesOf('Query', { ...ofLog, ProjectionExpression: 'sk, other', Limit: 9 })).toEqual([
      entries.map(({ sk }) => ({ sk })),
    ]);
    const f = { ...key, sk: text('f'), log: text('M'), at: text('2') };
    expect((await pagesOf('Scan', {})).flat()).toEqual([...entries, f]);
  });

  test('ends with the key of its last item, in the index and in the table', async () => {
    const { LastEvaluatedKey, ConsumedCapacity } = await ask('Query', {
      ...{ TableName, IndexName: 'eventLog', Limit: 1, ReturnConsumedCapacity: 'TOTAL' },
      ...ofLog,
    });
    expect(LastEvaluatedKey).toEqual({ ...key, sk: text('a'), log: text('L'), at: text('1') });
    expect(ConsumedCapacity.CapacityUnits).toBe(0.5);
  });
});

test('Text with an escaped surrogate or with a pair of surrogates is stored unchanged', async () => {
  const item = { ...key, text: { S: '\\ud800 \u{1f600}' } };
  expect(await put(item)).toMatchObject({ status: 200 });
  expect(await found()).toEqual(item);
});
