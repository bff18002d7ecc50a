import { type AttributeValue, bytesOfItem, normalItem, normalValue, type WireItem } from './attributes.ts';
import type { Database } from './database.ts';
import { assertUsed, holds, type Placeholders, parseCondition, updated } from './expressions.ts';
import { badRequest } from './store-error.ts';
import { assertIndexable, type ItemKey, indexEntry, itemIn, keptFrom, keyIn, type Table } from './tables.ts';

/** The part of a request that writes one item, or checks it. */
export interface WriteInput extends Placeholders {
  readonly Item?: WireItem;
  readonly Key?: WireItem;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write that was looked at, and not yet carried out. */
export interface Prepared {
  readonly kind: WriteKind;
  readonly table: Table;
  readonly key: ItemKey;
  readonly before: WireItem | undefined;
  /** The item as it will be; undefined where it will not be there. */
  readonly after: WireItem | undefined;
  readonly isAllowed: boolean;
}

/** AWS's documented limit of an item. */
const itemBytesMax = 400 * 1024;
const unitBytes = 1024;

/**
 * Reads the item of a write and finds out what the write makes of it.
 * @throws StoreError for a request that the store does not take, whatever the item is.
 */
export function prepare(database: Database, table: Table, kind: WriteKind, input: WriteInput): Prepared {
  const placeholders = normalPlaceholders(input);
  assertUsed(placeholders, [input.ConditionExpression, input.UpdateExpression]);
  const item = kind === 'Put' ? normalItem(input.Item ?? {}) : undefined;
  const key = item === undefined ? keyIn(table, input.Key, true) : keyIn(table, item, false);
  if (kind === 'ConditionCheck' && input.ConditionExpression === undefined) {
    throw badRequest('A condition check needs a ConditionExpression');
  }
  if (item !== undefined) assertKeepable(table, item);
  const row = database.find(table.id, key.pk, key.sk);
  const before = row && itemIn(row);
  const isAllowed =
    input.ConditionExpression === undefined ||
    holds(parseCondition(input.ConditionExpression), before ?? {}, placeholders);
  const after = isAllowed ? (item ?? changed(table, kind, key, before, input, placeholders)) : before;
  if (after !== undefined && after !== before && after !== item) assertKeepable(table, after);
  return { kind, table, key, before, after, isAllowed };
}

function assertKeepable(table: Table, item: WireItem): void {
  assertIndexable(table, item);
  if (bytesOfItem(item) > itemBytesMax) throw badRequest('Item size has exceeded the maximum allowed size');
}

function changed(
  table: Table,
  kind: WriteKind,
  key: ItemKey,
  before: WireItem | undefined,
  { UpdateExpression }: WriteInput,
  placeholders: Placeholders,
): WireItem | undefined {
  if (kind === 'Delete') return undefined;
  if (kind === 'ConditionCheck') return before;
  const own: WireItem = before ?? { [table.pk]: { S: key.pk }, [table.sk]: { S: key.sk } };
  if (UpdateExpression === undefined) return own;
  const after = updated(UpdateExpression, own, placeholders);
  if (after[table.pk]?.S !== key.pk || after[table.sk]?.S !== key.sk) {
    throw badRequest('One or more parameter values were invalid: Cannot update attribute; it is part of the key');
  }
  return after;
}

/** Values in the form in which they are kept. */
export function normalPlaceholders({
  ExpressionAttributeNames,
  ExpressionAttributeValues,
}: Placeholders): Placeholders {
  if (ExpressionAttributeValues === undefined) return { ExpressionAttributeNames };
  const values: Record<string, AttributeValue> = {};
  for (const name in ExpressionAttributeValues) {
    values[name] = normalValue(ExpressionAttributeValues[name] as AttributeValue);
  }
  return { ExpressionAttributeNames, ExpressionAttributeValues: values };
}

/** Carries out a write that is allowed. */
export function carryOut(database: Database, { kind, table, key, after }: Prepared): void {
  if (kind === 'ConditionCheck') return;
  if (after === undefined) database.remove(table.id, key.pk, key.sk);
  else database.put(table.id, keptFrom(table, after));
}

/** Carries out all of some writes or none, each of them allowed. */
export function carryOutTogether(database: Database, writes: readonly Prepared[]): void {
  database.together(() => {
    for (const write of writes) carryOut(database, write);
  });
}

/** The write units of a write, which are those of the larger of the two states, and those of the index. */
export function unitsOf(write: Prepared): { readonly table: number; readonly index: number } {
  const { table, before, after } = write;
  const bytes = Math.max(before === undefined ? 0 : bytesOfItem(before), after === undefined ? 0 : bytesOfItem(after));
  return { table: unitsFor(bytes), index: write.kind === 'ConditionCheck' ? 0 : indexUnits(table, before, after) };
}

const unitsFor = (bytes: number) => Math.max(1, Math.ceil(bytes / unitBytes));

/** An entry that moves is removed and put. */
function indexUnits(table: Table, before: WireItem | undefined, after: WireItem | undefined): number {
  const [old, next] = [indexEntry(table, before), indexEntry(table, after)];
  if (old === undefined && next === undefined) return 0;
  if (old === undefined || next === undefined) return unitsFor(bytesOfItem(old ?? next ?? {}));
  if (JSON.stringify(old) === JSON.stringify(next)) return 0;
  const { pk = '', sk = '' } = table.index ?? {};
  const hasMoved = old[pk]?.S !== next[pk]?.S || old[sk]?.S !== next[sk]?.S;
  return hasMoved
    ? unitsFor(bytesOfItem(old)) + unitsFor(bytesOfItem(next))
    : unitsFor(Math.max(bytesOfItem(old), bytesOfItem(next)));
}
