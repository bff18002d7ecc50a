import type { CreateTableInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { type Key, tableDefinition } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { itemBytesMax } from '../../../lib/store/item.ts';
import { bytesOfItem, pick, unicode } from './attributes.ts';
import type { Database, ItemRow, KeptItem } from './database.ts';
import { badRequest, StoreError } from './store-error.ts';

/** The names of the two attributes by which a table or an index is ordered; both are texts. */
type KeyNames = Key;

interface Index extends KeyNames {
  readonly name: string;
  /** The attributes that the index holds besides the keys. */
  readonly attributes: readonly string[];
}

export interface Table extends KeyNames {
  readonly id: number;
  readonly name: string;
  readonly index: Index | undefined;
  readonly definition: CreateTableInput;
}

/** The tables of a database. They have what those of Flagstaff have: two texts as a key, and at most one index like it. */
export class Tables {
  readonly #database: Database;
  #known = new Map<string, Table>();
  /** The version of the database in which they were looked up. */
  #version: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws StoreError where there is none of that name. */
  get(name: string | undefined): Table {
    const table = this.#tables.get(String(name));
    if (table !== undefined) return table;
    throw new StoreError('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
  }

  create(definition: CreateTableInput): Table {
    const { TableName: name } = definition;
    if (!name || !/^[\w.-]{3,255}$/.test(name))
      throw badRequest('TableName must have 3 to 255 of the characters a-z, A-Z, 0-9, _, - and .');
    if (this.#tables.has(name)) throw new StoreError('ResourceInUseException', `Table already exists: ${name}`);
    // Before it is kept, so that nothing is kept that cannot be read.
    const table = { ...tableOf(0, definition), id: this.#database.addTable(name, JSON.stringify(definition)) };
    this.#tables.set(name, table);
    return table;
  }

  delete(name: string | undefined): Table {
    const table = this.get(name);
    this.#database.removeTable(table.id);
    this.#tables.delete(table.name);
    return table;
  }

  /** By name. Another process may make and delete some, too. */
  get #tables(): Map<string, Table> {
    if (this.#version !== this.#database.version) {
      const found = this.#database.tables();
      this.#known = new Map(found.map(([id, name, definition]) => [name, tableOf(id, JSON.parse(definition))]));
      this.#version = this.#database.version;
    }
    return this.#known;
  }
}

function tableOf(id: number, definition: CreateTableInput): Table {
  const [index, ...more] = definition.GlobalSecondaryIndexes ?? [];
  if (more.length > 0 || definition.LocalSecondaryIndexes?.length) {
    throw badRequest('This store gives a table no more than one global secondary index.');
  }
  return {
    ...keyNames(definition.KeySchema, definition),
    id,
    name: String(definition.TableName),
    index: index && {
      ...keyNames(index.KeySchema, definition),
      name: String(index.IndexName),
      attributes: index.Projection?.NonKeyAttributes ?? [],
    },
    definition,
  };
}

function keyNames(schema: KeySchemaElement[] | undefined, { AttributeDefinitions }: CreateTableInput): KeyNames {
  const nameOf = (type: string) => {
    const name = schema?.find(({ KeyType }) => KeyType === type)?.AttributeName;
    const attribute = AttributeDefinitions?.find(({ AttributeName }) => AttributeName === name);
    if (attribute?.AttributeType === 'S') return String(name);
    throw badRequest('This store takes tables with a partition key and a sort key, both texts.');
  };
  return { pk: nameOf('HASH'), sk: nameOf('RANGE') };
}

/** The answer to a question about a table. */
export const describeTable = ({ definition }: Table): object => ({
  ...definition,
  TableStatus: 'ACTIVE',
  GlobalSecondaryIndexes: definition.GlobalSecondaryIndexes?.map((each) => ({ ...each, IndexStatus: 'ACTIVE' })),
});

/**
 * The key in attributes.
 * @param isAlone true where there must be nothing besides it.
 * @throws StoreError for one that the store does not take.
 */
export function keyIn(names: KeyNames, attributes: MarshalledItem = {}, isAlone: boolean): Key {
  if (isAlone && Object.keys(attributes).length !== 2) {
    throw badRequest('The provided key element does not match the schema: it is more or less than a key');
  }
  // AWS's documented limits of the parts of a key, in bytes.
  return { pk: keyText(attributes, names.pk, 2048), sk: keyText(attributes, names.sk, 1024) };
}

function keyText(attributes: MarshalledItem, name: string, bytesMax: number): string {
  const text = attributes[name]?.S;
  if (text && Buffer.byteLength(text) <= bytesMax) return unicode(text);
  throw badRequest(`The provided key element does not match the schema: ${name} is no text of 1 to ${bytesMax} bytes`);
}

/**
 * The row of an item.
 * @throws StoreError for an item that is too large, or has an attribute of the index's key that can be none.
 */
export function itemRow(table: Table, item: MarshalledItem, key = keyIn(table, item, false)): ItemRow {
  const bytes = bytesOfItem(item);
  if (bytes > itemBytesMax) throw badRequest('Item size has exceeded the maximum allowed size');
  const seconds = String(item[tableDefinition.timeToLive]?.N);
  return {
    ...key,
    ...placeIn(table.index, item),
    bytes,
    item: JSON.stringify(item),
    // A whole number; DynamoDB lets nothing else expire either.
    expiresAt: /^\d{1,15}$/.test(seconds) ? Number(seconds) : null,
  };
}

/** The place in the index, which has only items with both attributes. */
function placeIn(index: Index | undefined, item: MarshalledItem): Pick<ItemRow, 'indexPk' | 'indexSk'> {
  const indexPk = index && indexText(item, index.pk);
  const indexSk = index && indexText(item, index.sk);
  return indexPk && indexSk ? { indexPk, indexSk } : { indexPk: null, indexSk: null };
}

function indexText(item: MarshalledItem, name: string): string | undefined {
  const value = item[name];
  if (value === undefined || value.S) return value?.S;
  throw badRequest(`One or more parameter values were invalid: no text in the index key ${name}`);
}

/** The attributes of an item that the index holds; undefined where the item is not in it. */
export function indexEntry({ pk, sk, index }: Table, item: MarshalledItem | undefined): MarshalledItem | undefined {
  if (index === undefined || item?.[index.pk] === undefined || item[index.sk] === undefined) return undefined;
  return pick(item, [pk, sk, index.pk, index.sk, ...index.attributes]);
}

/** The attributes of an item, which are read only where something depends on more than its key and its size. */
export function itemIn(kept: KeptItem): MarshalledItem {
  kept.attributes ??= JSON.parse(kept.item) as MarshalledItem;
  return kept.attributes;
}
