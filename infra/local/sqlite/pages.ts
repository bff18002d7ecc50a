import type { AttributeValue, QueryInput } from '@aws-sdk/client-dynamodb';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { bytesOfItem, pick } from './attributes.ts';
import { readUnits, toConsumedCapacity } from './capacity.ts';
import type { Database, Where } from './database.ts';
import { comparisonsIn, givenValue, nameOf, namesIn, type Placeholders, placeholdersOf } from './expressions.ts';
import { badRequest } from './store-error.ts';
import { indexEntry, keyIn, type Table } from './tables.ts';

/** AWS's documented limit of the items of a page. */
const pageBytesMax = 1024 * 1024;

/** The first rows that are read, while nobody knows how large they are. */
const firstPortion = 50;

/** The columns by which a table or its index is ordered, and the attributes in them. */
type Order = Readonly<Record<string, string>>;

/**
 * Answers with a page of a table or of its index: a part of a partition, or all of it for a scan.
 * @throws StoreError for a request that the store does not take.
 */
export function readPage(database: Database, table: Table, input: QueryInput, isScan: boolean) {
  const { IndexName, KeyConditionExpression = '', ProjectionExpression, Limit = Number.POSITIVE_INFINITY } = input;
  const index = IndexName === undefined ? undefined : table.index;
  if (index?.name !== IndexName) throw badRequest('The table does not have the specified index');
  if (index && input.ConsistentRead) throw badRequest('An index does not support consistent reads');
  if (Limit < 1) throw badRequest('Limit must be greater than or equal to 1');
  const placeholders = placeholdersOf(input, KeyConditionExpression, ProjectionExpression);
  const shown = ProjectionExpression === undefined ? undefined : namesIn(ProjectionExpression, placeholders);
  const order: Order = { ...(index && { indexPk: index.pk, indexSk: index.sk }), pk: table.pk, sk: table.sk };
  const columns = Object.keys(order);
  const where = isScan
    ? [{ sql: `${columns[0]} IS NOT NULL`, values: [] }]
    : conditionsOf(KeyConditionExpression, placeholders, order);
  const [direction, sign] = input.ScanIndexForward === false ? [' DESC', '<'] : ['', '>'];
  const orderBy = columns.map((column) => `${column}${direction}`).join(', ');
  let last = input.ExclusiveStartKey;
  if (last) for (const names of index ? [table, index] : [table]) keyIn(names, last, index === undefined);

  const items: MarshalledItem[] = [];
  let bytes = 0;
  const answer = (more: object) => ({
    ...{ Items: items, Count: items.length, ScannedCount: items.length, ...more },
    ConsumedCapacity: toConsumedCapacity(table, readUnits(bytes, input.ConsistentRead)),
  });
  for (let portion = Math.min(Limit, firstPortion); ; portion *= 2) {
    const wanted = last ? [...where, behind(last, order, sign)] : where;
    const rows = database.select(table.id, wanted, orderBy, portion);
    for (const [size, text] of rows) {
      const item: MarshalledItem = JSON.parse(text);
      const entry = index ? (indexEntry(table, item) ?? {}) : item;
      bytes += index ? bytesOfItem(entry) : size;
      items.push(shown ? pick(entry, shown) : entry);
      last = item;
      if (items.length >= Limit || bytes >= pageBytesMax) {
        return answer({ LastEvaluatedKey: pick(item, Object.values(order)) });
      }
    }
    if (rows.length < portion) return answer({});
  }
}

/** The rows behind the last one of the page before. */
function behind(last: MarshalledItem, order: Order, sign: string): Where {
  const values = Object.values(order).map((name) => (last[name] as AttributeValue.SMember).S);
  return { sql: `(${Object.keys(order)}) ${sign} (${values.map(() => '?')})`, values };
}

/** The conditions of a query: the partition, and at most one on the sort key. */
function conditionsOf(text: string, placeholders: Placeholders, order: Order): Where[] {
  const found: Where[] = [];
  for (const { operator, attribute, values } of comparisonsIn(text)) {
    const at = Object.values(order).indexOf(nameOf(attribute, placeholders));
    const column = Object.keys(order)[at];
    if (column === undefined || at > 1 || found[at] || (at === 0 && operator !== '=')) throw notSupported();
    const texts = values.map((each) => givenValue(each, placeholders).S ?? '');
    found[at] = rangeOf(column, operator, texts);
  }
  if (found[0] === undefined) throw notSupported();
  return found;
}

const notSupported = () => badRequest('Query key condition not supported');

function rangeOf(column: string, operator: string, values: readonly string[]): Where {
  const [low, high] = values.map((each) => Buffer.from(each));
  if (low === undefined) throw notSupported();
  if (values.includes(''))
    throw badRequest('One or more parameter values are not valid: a key cannot be an empty string');
  if (high && low.compare(high) > 0) {
    throw badRequest('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
  // No text has a byte of 255, so that all that begin with the prefix come before it.
  if (operator === 'begins_with')
    return { sql: `${column} >= ? AND ${column} < ? || x'ff'`, values: [...values, ...values] };
  return { sql: `${column} ${operator} ${values.map(() => '?').join(' AND ')}`, values };
}
