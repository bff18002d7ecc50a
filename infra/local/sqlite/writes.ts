import { bytesOfItem, normalItem, type WireItem } from './attributes.ts';
import type { Database, IndexedItem, KeptItem } from './database.ts';
import {
  assertUsed,
  holds,
  type Lookup,
  normalPlaceholders,
  type Placeholders,
  parseCondition,
  updated,
  updatedNames,
} from './expressions.ts';
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

/** The item before a write, which is read only where something depends on more than its key and its size. */
class Before {
  readonly row: KeptItem | undefined;
  #item: WireItem | undefined;

  constructor(row: KeptItem | undefined) {
    this.row = row;
  }

  get item(): WireItem | undefined {
    this.#item ??= this.row && itemIn(this.row);
    return this.#item;
  }
}

/** A write that was looked at, and not yet carried out. */
export interface Prepared {
  readonly kind: WriteKind;
  readonly table: Table;
  readonly key: ItemKey;
  readonly before: Before;
  /** The item as it will be; undefined where it will not be there, or stays as it is. */
  readonly after: WireItem | undefined;
  readonly kept: IndexedItem | undefined;
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
  const { UpdateExpression = '', ConditionExpression: condition } = input;
  const placeholders = normalPlaceholders(input);
  assertUsed(placeholders, [condition, input.UpdateExpression]);
  const item = kind === 'Put' ? normalItem(input.Item ?? {}) : undefined;
  const key = keyIn(table, item ?? input.Key, item === undefined);
  if (kind === 'ConditionCheck' && condition === undefined) {
    throw badRequest('A condition check needs a ConditionExpression');
  }
  const before = new Before(database.find(table.id, key.pk, key.sk));
  const attributes: Lookup = (name) => {
    if (before.row === undefined) return undefined;
    return name === table.pk ? { S: key.pk } : before.item?.[name];
  };
  const isAllowed = condition === undefined || holds(parseCondition(condition), attributes, placeholders);
  const own = { [table.pk]: { S: key.pk }, [table.sk]: { S: key.sk } };
  if (kind === 'Update' && updatedNames(UpdateExpression, placeholders).some((name) => name in own)) {
    throw badRequest('One or more parameter values were invalid: Cannot update attribute; it is part of the key');
  }
  const after = kind === 'Update' && isAllowed ? updated(UpdateExpression, before.item ?? own, placeholders) : item;
  if (after !== undefined) assertIndexable(table, after);
  const kept = after && keptFrom(table, after, key);
  if (kept !== undefined && kept.bytes > itemBytesMax) {
    throw badRequest('Item size has exceeded the maximum allowed size');
  }
  return { kind, table, key, before, after, kept, isAllowed };
}

/** Carries out a write that is allowed. */
export function carryOut(database: Database, { kind, table, key, kept }: Prepared): void {
  if (kept !== undefined) database.put(table.id, kept);
  else if (kind === 'Delete') database.remove(table.id, key.pk, key.sk);
}

/** Carries out all of some writes or none, each of them allowed. */
export function carryOutTogether(database: Database, writes: readonly Prepared[]): void {
  database.together(() => {
    for (const write of writes) carryOut(database, write);
  });
}

/** The write units of a write, which are those of the larger of the two states, and those of the index. */
export function unitsOf(write: Prepared): { readonly table: number; readonly index: number } {
  const bytes = Math.max(write.before.row?.bytes ?? 0, write.kept?.bytes ?? 0);
  return { table: unitsFor(bytes), index: write.kind === 'ConditionCheck' ? 0 : indexUnits(write) };
}

const unitsFor = (bytes: number) => Math.max(1, Math.ceil(bytes / unitBytes));

/** An entry that moves is removed and put. */
function indexUnits({ table, before, after }: Prepared): number {
  const old = before.row?.indexPk ? indexEntry(table, before.item) : undefined;
  const next = indexEntry(table, after);
  if (old === undefined && next === undefined) return 0;
  if (old === undefined || next === undefined) return unitsFor(bytesOfItem(old ?? next ?? {}));
  if (JSON.stringify(old) === JSON.stringify(next)) return 0;
  const { pk = '', sk = '' } = table.index ?? {};
  const hasMoved = old[pk]?.S !== next[pk]?.S || old[sk]?.S !== next[sk]?.S;
  return hasMoved
    ? unitsFor(bytesOfItem(old)) + unitsFor(bytesOfItem(next))
    : unitsFor(Math.max(bytesOfItem(old), bytesOfItem(next)));
}
