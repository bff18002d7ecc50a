import type { PutItemInput, UpdateItemInput } from '@aws-sdk/client-dynamodb';
import type { Key } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { normalItem } from './attributes.ts';
import type { Database, ItemRow, KeptItem } from './database.ts';
import { type AttributeChange, changesIn, holds, placeholdersOf } from './expressions.ts';
import { badRequest } from './store-error.ts';
import { itemIn, itemRow, keyIn, type Table } from './tables.ts';

/** The part of a request that writes one item, or checks it. */
export type WriteInput = Partial<PutItemInput & UpdateItemInput>;

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write that was looked at, and not yet carried out. */
export interface Prepared {
  readonly kind: WriteKind;
  readonly input: WriteInput;
  readonly table: Table;
  readonly key: Key;
  readonly before: KeptItem | undefined;
  /** The item as it will be; undefined where it will not be there, or stays as it is. */
  readonly after: MarshalledItem | undefined;
  readonly kept: ItemRow | undefined;
  /** The names of the attributes that an update changes. */
  readonly changed: readonly string[];
  readonly isAllowed: boolean;
}

/**
 * Reads the item of a write and finds out what the write makes of it.
 * @throws StoreError for a request that the store does not take, whatever the item is.
 */
export function prepare(database: Database, table: Table, kind: WriteKind, input: WriteInput): Prepared {
  const { UpdateExpression = '', ConditionExpression: condition } = input;
  const placeholders = placeholdersOf(input, condition, UpdateExpression);
  const item = kind === 'Put' ? normalItem(input.Item ?? {}) : undefined;
  const key = keyIn(table, item ?? input.Key, item === undefined);
  if (kind === 'ConditionCheck' && condition === undefined) {
    throw badRequest('A condition check needs a ConditionExpression');
  }
  const before = database.find(table.id, key);
  // A condition that it is there, or not, needs none of its attributes.
  const found = (name: string) => before && (name === table.pk ? { S: key.pk } : itemIn(before)[name]);
  const isAllowed = condition === undefined || holds(condition, found, placeholders);
  const changes = changesIn(UpdateExpression, placeholders);
  if (changes.some(({ name }) => name === table.pk || name === table.sk)) {
    throw badRequest('One or more parameter values were invalid: Cannot update attribute; it is part of the key');
  }
  const own = { [table.pk]: { S: key.pk }, [table.sk]: { S: key.sk } };
  const after = kind === 'Update' && isAllowed ? updated(before ? itemIn(before) : own, changes) : item;
  const kept = after && itemRow(table, after, key);
  return { input, kind, table, key, before, after, kept, changed: changes.map(({ name }) => name), isAllowed };
}

/** The item after an update, each of whose operands is one of the item before. */
function updated(item: MarshalledItem, changes: readonly AttributeChange[]): MarshalledItem {
  const after = { ...item };
  for (const { name, changed } of changes) after[name] = changed(item[name]);
  return after;
}

/** Carries out a write that is allowed. */
export function carryOut(database: Database, { kind, table, key, kept }: Prepared): void {
  if (kept !== undefined) database.put(table.id, kept);
  else if (kind === 'Delete') database.remove(table.id, key);
}
