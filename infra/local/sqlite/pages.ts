import { bytesOfItem, type WireItem } from './attributes.ts';
import type { Database, KeptItem, Selection } from './database.ts';
import {
  type ConditionTree,
  holds,
  nameOf,
  operandValue,
  type Placeholders,
  parseCondition,
  parseProjection,
} from './expressions.ts';
import { badRequest } from './store-error.ts';
import { indexEntry, itemIn, keyIn, pick, type Table } from './tables.ts';
import { normalPlaceholders } from './writes.ts';

export interface PageInput extends Placeholders {
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ScanIndexForward?: boolean;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: WireItem;
  readonly Select?: string;
}

export interface PageRead {
  /** The items as JSON. */
  readonly items: readonly string[];
  /** The number of items that were read, those that a filter has left out included. */
  readonly scanned: number;
  readonly bytes: number;
  /** The key of the last item that was read, where there may be more. */
  readonly last: WireItem | undefined;
}

const endsTooEarly = 'The BETWEEN operator requires upper bound to be greater than or equal to lower bound';

/** AWS's documented limit of the items of a page. */
const pageBytesMax = 1024 * 1024;

type Where = Selection['where'][number];

/** The columns by which a table or its index is ordered. */
const ownOrder = { pk: 'pk', sk: 'sk', rest: [] } as const;
const indexOrder = { pk: 'indexPk', sk: 'indexSk', rest: ['pk', 'sk'] } as const;

/**
 * Reads a page of a table or of its index: a part of a partition, or all of it for a scan.
 * @throws StoreError for a request that the store does not take.
 */
export function readPage(database: Database, table: Table, input: PageInput, isScan: boolean): PageRead {
  const { index } = table;
  const isIndexed = input.IndexName !== undefined;
  if (isIndexed && input.IndexName !== index?.name) throw badRequest('The table does not have the specified index');
  if (isIndexed && input.ConsistentRead)
    throw badRequest('Consistent reads are not supported on global secondary indexes');
  const names = isIndexed && index !== undefined ? index : table;
  const columns = isIndexed ? indexOrder : ownOrder;
  const placeholders = normalPlaceholders(input);
  const descending = input.ScanIndexForward === false;

  const where: Where[] = isScan ? scanned(isIndexed) : conditionsOf(input, placeholders, names, columns);
  const order = [columns.pk, columns.sk, ...columns.rest];
  if (input.ExclusiveStartKey !== undefined) where.push(behind(table, input.ExclusiveStartKey, isIndexed, descending));

  const shown = isIndexed ? (item: WireItem) => indexEntry(table, item) ?? {} : undefined;
  const filter = input.FilterExpression === undefined ? undefined : parseCondition(input.FilterExpression);
  const projection = input.ProjectionExpression && parseProjection(input.ProjectionExpression, placeholders);
  const limit = input.Limit ?? Number.POSITIVE_INFINITY;
  if (limit < 1) throw badRequest('Limit must be greater than or equal to 1');

  const items: string[] = [];
  let [count, bytes] = [0, 0];
  for (const row of database.select({ table: table.id, where, order, descending })) {
    count += 1;
    const item = shown || filter || projection ? itemIn(row) : undefined;
    const entry = item && (shown?.(item) ?? item);
    bytes += shown && entry ? bytesOfItem(entry) : row.bytes;
    if (filter === undefined || holds(filter, entry ?? {}, placeholders)) {
      items.push(entry === undefined ? row.item : JSON.stringify(projection ? pick(entry, projection) : entry));
    }
    if (count >= limit || bytes >= pageBytesMax)
      return { items, scanned: count, bytes, last: lastKey(table, row, isIndexed) };
  }
  return { items, scanned: count, bytes, last: undefined };
}

const scanned = (isIndexed: boolean): Where[] => (isIndexed ? [{ sql: 'indexPk IS NOT NULL', values: [] }] : []);

function lastKey(table: Table, row: KeptItem, isIndexed: boolean): WireItem {
  const names = [table.pk, table.sk, ...(isIndexed && table.index ? [table.index.pk, table.index.sk] : [])];
  return pick(itemIn(row), names);
}

/** The condition that a row comes after the last one of the page before. */
function behind(table: Table, start: WireItem, isIndexed: boolean, descending: boolean): Where {
  const { pk, sk } = keyIn(table, start, !isIndexed);
  const sign = descending ? '<' : '>';
  if (!isIndexed) return { sql: `(pk, sk) ${sign} (?, ?)`, values: [pk, sk] };
  const [indexPk = '', indexSk = ''] = [start[table.index?.pk ?? '']?.S, start[table.index?.sk ?? '']?.S];
  return { sql: `(indexPk, indexSk, pk, sk) ${sign} (?, ?, ?, ?)`, values: [indexPk, indexSk, pk, sk] };
}

/** The conditions of a query: the partition, and at most one on the sort key. */
function conditionsOf(
  { KeyConditionExpression = '' }: PageInput,
  placeholders: Placeholders,
  names: { readonly pk: string; readonly sk: string },
  columns: typeof ownOrder | typeof indexOrder,
): Where[] {
  const parts = flat(parseCondition(KeyConditionExpression));
  const found: Partial<Record<'pk' | 'sk', Where>> = {};
  for (const part of parts) {
    if (part.kind !== 'is') throw notSupported();
    const name = nameOf(part.operands[0] ?? '', placeholders);
    const column = name === names.pk ? 'pk' : 'sk';
    if ((column === 'sk' && name !== names.sk) || found[column] !== undefined) throw notSupported();
    if (column === 'pk' && part.operator !== '=') throw notSupported();
    const values = part.operands.slice(1).map((operand) => operandValue(operand, {}, placeholders)?.S ?? '');
    if (values.includes(''))
      throw badRequest('One or more parameter values are not valid: a key cannot be an empty string');
    found[column] = rangeOf(columns[column], part.operator, values);
  }
  if (found.pk === undefined) throw notSupported();
  return [found.pk, ...(found.sk ? [found.sk] : [])];
}

const notSupported = () => badRequest('Query key condition not supported');

function flat(condition: ConditionTree): ConditionTree[] {
  return condition.kind === 'and' ? condition.parts.flatMap(flat) : [condition];
}

function rangeOf(column: string, operator: string, values: readonly string[]): Where {
  const [first = ''] = values;
  if (operator === 'BETWEEN') {
    if (Buffer.compare(Buffer.from(first), Buffer.from(values[1] ?? '')) > 0) throw badRequest(endsTooEarly);
    return { sql: `${column} BETWEEN ? AND ?`, values };
  }
  if (['=', '<', '<=', '>', '>='].includes(operator)) return { sql: `${column} ${operator} ?`, values };
  if (operator !== 'begins_with') throw notSupported();
  const end = endOf(first);
  return end === ''
    ? { sql: `${column} >= ?`, values: [first] }
    : { sql: `(${column} >= ? AND ${column} < ?)`, values: [first, end] };
}

/** The first text, in the order of bytes, after all that begin with a prefix; empty where there is none. */
function endOf(prefix: string): string {
  const points = [...prefix].map((each) => each.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10_ff_ff) points.pop();
  const last = points.pop();
  if (last === undefined) return '';
  // What follows are halves of pairs, which no text has alone.
  return String.fromCodePoint(...points, last === 0xd7_ff ? 0xe0_00 : last + 1);
}
