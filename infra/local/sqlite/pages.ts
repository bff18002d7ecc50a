import type { AttributeValue, QueryInput } from '@aws-sdk/client-dynamodb';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { bytesOfItem, pick } from './attributes.ts';
import { countReadUnits, toConsumedCapacity } from './capacity.ts';
import type { Database, Where } from './database.ts';
import {
  type Placeholders,
  parseComparisons,
  parsePlaceholders,
  parseProjection,
  resolveName,
  resolveValue,
} from './expressions.ts';
import { badRequest } from './store-error.ts';
import { buildIndexEntry, keyOfItem, parseKey, type Table } from './tables.ts';

/** AWS's documented maximum size of a page. */
const maxPageBytes = 1024 * 1024;

/** The number of rows that are read first, since their sizes are still unknown. */
const firstPortion = 50;

/** The columns that order a table or its index, and the names of their attributes. */
type Order = Readonly<Record<string, string>>;

/**
 * Returns a page of a table or of its index: of one partition for a query, of all for a scan.
 * @throws StoreError if the store refuses the request.
 */
export function readPage(database: Database, table: Table, input: QueryInput, isScan: boolean) {
  const { IndexName, KeyConditionExpression = '', ProjectionExpression, Limit = Number.POSITIVE_INFINITY } = input;
  const index = IndexName === undefined ? undefined : table.index;
  if (index?.name !== IndexName) throw badRequest('The table does not have the specified index');
  if (index && input.ConsistentRead) throw badRequest('An index does not support consistent reads');
  if (Limit < 1) throw badRequest('Limit must be greater than or equal to 1');
  const placeholders = parsePlaceholders(input, KeyConditionExpression, ProjectionExpression);
  const projection =
    ProjectionExpression === undefined ? undefined : parseProjection(ProjectionExpression, placeholders);
  const order: Order = { ...(index && { indexPk: index.pk, indexSk: index.sk }), pk: table.pk, sk: table.sk };
  const columns = Object.keys(order);
  const where = isScan
    ? [{ sql: `${columns[0]} IS NOT NULL`, values: [] }]
    : parseKeyConditions(KeyConditionExpression, placeholders, order);
  const [direction, sign] = input.ScanIndexForward === false ? [' DESC', '<'] : ['', '>'];
  const orderBy = columns.map((column) => `${column}${direction}`).join(', ');
  let last = input.ExclusiveStartKey;
  if (last && index) for (const names of [table, index]) keyOfItem(names, last);
  else if (last) parseKey(table, last);

  const items: MarshalledItem[] = [];
  let bytes = 0;
  const buildPage = (more: object) => ({
    ...{ Items: items, Count: items.length, ScannedCount: items.length, ...more },
    ConsumedCapacity: toConsumedCapacity(table, countReadUnits(bytes, input.ConsistentRead)),
  });
  for (let portion = Math.min(Limit, firstPortion); ; portion *= 2) {
    const conditions = last ? [...where, startAfter(last, order, sign)] : where;
    const rows = database.select(table.id, conditions, orderBy, portion);
    for (const [size, text] of rows) {
      const item: MarshalledItem = JSON.parse(text);
      const entry = index ? (buildIndexEntry(table, item) ?? {}) : item;
      bytes += index ? bytesOfItem(entry) : size;
      items.push(projection ? pick(entry, projection) : entry);
      last = item;
      if (items.length >= Limit || bytes >= maxPageBytes) {
        return buildPage({ LastEvaluatedKey: pick(item, Object.values(order)) });
      }
    }
    if (rows.length < portion) return buildPage({});
  }
}

/** Returns the condition for the rows after the last item of the previous page. */
function startAfter(last: MarshalledItem, order: Order, sign: string): Where {
  const values = Object.values(order).map((name) => (last[name] as AttributeValue.SMember).S);
  return { sql: `(${Object.keys(order)}) ${sign} (${values.map(() => '?')})`, values };
}

/** Parses the conditions of a query: the partition, and at most one condition on the sort key. */
function parseKeyConditions(text: string, placeholders: Placeholders, order: Order): Where[] {
  const conditions: Where[] = [];
  for (const { operator, attribute, values } of parseComparisons(text)) {
    const position = Object.values(order).indexOf(resolveName(attribute, placeholders));
    const column = Object.keys(order)[position];
    if (column === undefined || position > 1 || conditions[position]) throw notSupported();
    if (position === 0 && operator !== '=') throw notSupported();
    const texts = values.map((value) => resolveValue(value, placeholders).S ?? '');
    conditions[position] = buildRange(column, operator, texts);
  }
  if (conditions[0] === undefined) throw notSupported();
  return conditions;
}

const notSupported = () => badRequest('Query key condition not supported');

function buildRange(column: string, operator: string, values: readonly string[]): Where {
  const [low, high] = values.map((value) => Buffer.from(value));
  if (low === undefined) throw notSupported();
  if (values.includes(''))
    throw badRequest('One or more parameter values are not valid: a key cannot be an empty string');
  if (high && low.compare(high) > 0) {
    throw badRequest('The BETWEEN operator requires upper bound to be greater than or equal to lower bound');
  }
  // No UTF-8 text contains the byte 255, so all texts with the prefix sort before it.
  if (operator === 'begins_with')
    return { sql: `${column} >= ? AND ${column} < ? || x'ff'`, values: [...values, ...values] };
  return { sql: `${column} ${operator} ${values.map(() => '?').join(' AND ')}`, values };
}
