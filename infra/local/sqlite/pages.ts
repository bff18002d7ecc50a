import { bytesOfItem, type WireItem } from './attributes.ts';
import type { Database, Selection } from './database.ts';
import {
  assertUsed,
  type ConditionTree,
  givenValue,
  nameOf,
  normalPlaceholders,
  type Placeholders,
  parseCondition,
  parseProjection,
} from './expressions.ts';
import { badRequest } from './store-error.ts';
import { indexEntry, itemIn, keyIn, pick, type Table } from './tables.ts';

export interface PageInput extends Placeholders {
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ScanIndexForward?: boolean;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: WireItem;
}

export interface PageRead {
  readonly items: readonly WireItem[];
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

/** The first rows that are read, while nobody knows how large they are. */
const firstPortion = 50;

/**
 * Reads a page of a table or of its index: a part of a partition, or all of it for a scan.
 * @throws StoreError for a request that the store does not take.
 */
export function readPage(database: Database, table: Table, input: PageInput, isScan: boolean): PageRead {
  const { index } = table;
  const isIndexed = input.IndexName !== undefined;
  if (isIndexed && input.IndexName !== index?.name) throw badRequest('The table does not have the specified index');
  if (isIndexed && input.ConsistentRead) throw badRequest('An index does not support consistent reads');
  const limit = input.Limit ?? Number.POSITIVE_INFINITY;
  if (limit < 1) throw badRequest('Limit must be greater than or equal to 1');
  const columns = isIndexed ? indexOrder : ownOrder;
  const placeholders = normalPlaceholders(input);
  assertUsed(placeholders, [input.KeyConditionExpression, input.ProjectionExpression]);
  const descending = input.ScanIndexForward === false;
  const names = isIndexed && index !== undefined ? index : table;
  const part = isScan ? scanned(isIndexed) : conditionsOf(input, placeholders, names, columns);
  const order = [columns.pk, columns.sk, ...columns.rest];
  const show = shownBy(table, input);

  const items: WireItem[] = [];
  let [count, bytes] = [0, 0];
  let last = input.ExclusiveStartKey;
  for (let portion = Math.min(limit, firstPortion); ; ) {
    const where = last === undefined ? part : [...part, behind(table, last, isIndexed, descending)];
    const rows = database.select({ table: table.id, where, order, descending, limit: portion });
    let item: WireItem = {};
    for (const [size, text] of rows) {
      item = itemIn({ item: text });
      const shown = show(size, item);
      count += 1;
      bytes += shown.bytes;
      items.push(shown.item);
      if (count >= limit || bytes >= pageBytesMax) {
        return { items, bytes, last: lastKey(table, item, isIndexed) };
      }
    }
    if (rows.length < portion) return { items, bytes, last: undefined };
    last = lastKey(table, item, isIndexed);
    // As many as a page has room for if they are as large as the others.
    portion = Math.min(limit - count, 1 + Math.ceil(((pageBytesMax - bytes) * count) / bytes));
  }
}

/** An item as an answer shows it, and its size. */
type Shown = (bytes: number, item: WireItem) => { readonly bytes: number; readonly item: WireItem };

function shownBy(table: Table, { IndexName, ProjectionExpression, ...placeholders }: PageInput): Shown {
  if ((IndexName ?? ProjectionExpression) === undefined) return (bytes, item) => ({ bytes, item });
  const names = ProjectionExpression === undefined ? undefined : parseProjection(ProjectionExpression, placeholders);
  return (bytes, item) => {
    const entry = IndexName === undefined ? item : (indexEntry(table, item) ?? {});
    return {
      bytes: IndexName === undefined ? bytes : bytesOfItem(entry),
      item: names === undefined ? entry : pick(entry, names),
    };
  };
}

const scanned = (isIndexed: boolean): Where[] => (isIndexed ? [{ sql: 'indexPk IS NOT NULL', values: [] }] : []);

function lastKey(table: Table, item: WireItem, isIndexed: boolean): WireItem {
  return pick(item, [table.pk, table.sk, ...(isIndexed && table.index ? [table.index.pk, table.index.sk] : [])]);
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
    const values = part.operands.slice(1).map((operand) => givenValue(operand, placeholders).S ?? '');
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
