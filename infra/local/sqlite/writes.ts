import type { PutItemInput, UpdateItemInput } from '@aws-sdk/client-dynamodb';
import type { Key } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { normalizeItem } from './attributes.ts';
import type { Database, ItemRow, StoredItem } from './database.ts';
import { type AttributeChange, evaluateCondition, parsePlaceholders, parseUpdate } from './expressions.ts';
import { badRequest } from './store-error.ts';
import { buildRow, keyOfItem, parseItem, parseKey, type Table } from './tables.ts';

/** The part of a request that writes or checks one item. */
export type WriteInput = Partial<PutItemInput & UpdateItemInput>;

export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write that was checked but not carried out yet. */
export interface PreparedWrite {
  readonly kind: WriteKind;
  readonly input: WriteInput;
  readonly table: Table;
  readonly key: Key;
  readonly before: StoredItem | undefined;
  /** The item after the write; undefined for a deletion, a condition check, or an update whose condition fails. */
  readonly after: MarshalledItem | undefined;
  readonly newRow: ItemRow | undefined;
  /** The names of the attributes that an update changes. */
  readonly changedNames: readonly string[];
  readonly isAllowed: boolean;
}

/**
 * Reads the item of a write, checks the condition, and computes the item after the write.
 * @throws StoreError for a request that the store refuses, regardless of the item.
 */
export function prepareWrite(database: Database, table: Table, kind: WriteKind, input: WriteInput): PreparedWrite {
  const { UpdateExpression = '', ConditionExpression: condition } = input;
  const placeholders = parsePlaceholders(input, condition, UpdateExpression);
  const item = kind === 'Put' ? normalizeItem(input.Item ?? {}) : undefined;
  const key = item ? keyOfItem(table, item) : parseKey(table, input.Key);
  if (kind === 'ConditionCheck' && condition === undefined) {
    throw badRequest('A condition check needs a ConditionExpression');
  }
  const before = database.find(table.id, key);
  // A condition on existence needs no attributes, so they are parsed only if asked for.
  const readAttribute = (name: string) => before && (name === table.pk ? { S: key.pk } : parseItem(before)[name]);
  const isAllowed = condition === undefined || evaluateCondition(condition, readAttribute, placeholders);
  const changes = parseUpdate(UpdateExpression, placeholders);
  const changedNames = changes.map(({ name }) => name);
  if (changedNames.includes(table.pk) || changedNames.includes(table.sk)) {
    throw badRequest('One or more parameter values were invalid: Cannot update attribute; it is part of the key');
  }
  const keyAttributes = { [table.pk]: { S: key.pk }, [table.sk]: { S: key.sk } };
  const after = kind === 'Update' && isAllowed ? update(before ? parseItem(before) : keyAttributes, changes) : item;
  const newRow = after && buildRow(table, after, key);
  return { input, kind, table, key, before, after, newRow, changedNames, isAllowed };
}

/** Returns the item after an update. All operands refer to the item before the update. */
function update(item: MarshalledItem, changes: readonly AttributeChange[]): MarshalledItem {
  const after = { ...item };
  for (const { name, compute } of changes) after[name] = compute(item[name]);
  return after;
}

/** Carries out a write that is allowed. */
export function carryOutWrite(database: Database, { kind, table, key, newRow }: PreparedWrite): void {
  if (newRow !== undefined) database.put(table.id, newRow);
  else if (kind === 'Delete') database.remove(table.id, key);
}
