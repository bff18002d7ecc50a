import type { Choice } from './choice.ts';
import type { StoreRequest } from './requests.ts';
import { keyOf, TableName } from './values.ts';

/** AWS's documented limit of an item, in bytes. */
const itemBytesMax = 400 * 1024;

/** A key of its own for each number. */
const keyAt = (index: number) => ({ pk: { S: 'many' }, sk: { S: String(index).padStart(3, '0') } });
const countOf = (most: number, make: (index: number) => object) =>
  Array.from({ length: most }, (_, index) => make(index));

/** An item of so many bytes, the names of its attributes included. */
function itemOfBytes(key: { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } }, bytes: number) {
  const known = Buffer.byteLength(`pk${key.pk.S}sk${key.sk.S}text`);
  return { ...key, text: { S: 'x'.repeat(bytes - known) } };
}

const putOf = (Item: object): StoreRequest => ['PutItem', { TableName, Item, ReturnConsumedCapacity: 'TOTAL' }];
const transacted = (TransactItems: readonly object[]): StoreRequest => ['TransactWriteItems', { TransactItems }];
const keyOfBytes = (pk: number, sk: number) => ({ pk: { S: 'p'.repeat(pk) }, sk: { S: 's'.repeat(sk) } });

/** Requests at the limits of the store, and one step beyond. */
const makers: readonly ((choice: Choice) => StoreRequest | readonly StoreRequest[])[] = [
  (choice) => putOf(itemOfBytes(keyOf(choice), itemBytesMax)),
  (choice) => putOf(itemOfBytes(keyOf(choice), itemBytesMax + 1)),
  (choice) => {
    // Nearly full already, so that few texts fit beside it.
    const key = keyOf(choice);
    const update = {
      UpdateExpression: 'SET about = :about',
      ExpressionAttributeValues: { ':about': { S: 'x'.repeat(choice.of([95, 96])) } },
    };
    return [putOf(itemOfBytes(key, itemBytesMax - 100)), ['UpdateItem', { TableName, Key: key, ...update }]];
  },
  () => putOf(keyOfBytes(2048, 1024)),
  () => putOf(keyOfBytes(2049, 1)),
  () => putOf(keyOfBytes(1, 1025)),
  () => putOf({ pk: { S: 'ü'.repeat(1025) }, sk: { S: 's' } }),
  (choice) => transacted(countOf(choice.of([100, 101]), (index) => ({ Delete: { TableName, Key: keyAt(index) } }))),
  (choice) => {
    // Just below 4 MB, and above.
    const bytes = choice.of([380_000, 400_000]);
    return transacted(countOf(11, (index) => ({ Put: { TableName, Item: itemOfBytes(keyAt(index), bytes) } })));
  },
  (choice) => {
    const Keys = countOf(choice.of([100, 101]), keyAt);
    return ['BatchGetItem', { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }];
  },
  (choice) => {
    const writes = countOf(choice.of([25, 26]), (index) => ({ DeleteRequest: { Key: keyAt(index) } }));
    return ['BatchWriteItem', { RequestItems: { [TableName]: writes } }];
  },
  (choice) => {
    // Pages end behind the item that makes them 1 MB.
    const sizes = countOf(5, () => ({ bytes: choice.of([1_000, 200_000, 262_144, 390_000]) }));
    const items = (sizes as { readonly bytes: number }[]).map(({ bytes }, index) => itemOfBytes(keyAt(index), bytes));
    const pages = { ExpressionAttributeValues: { ':pk': { S: 'many' } }, ReturnConsumedCapacity: 'TOTAL' };
    const query = { TableName, KeyConditionExpression: 'pk = :pk', ScanIndexForward: choice.isLikely(0.5), ...pages };
    return [...items.map(putOf), ['Query', query], ['Scan', { TableName }]];
  },
];

/** Sequences for each of the limits. */
export const atLimits = makers.map((make) => (choice: Choice): readonly StoreRequest[] => {
  const made = make(choice);
  return (typeof made[0] === 'string' ? [made] : made) as readonly StoreRequest[];
});
