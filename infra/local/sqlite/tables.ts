import type { CreateTableInput, KeySchemaElement } from '@aws-sdk/client-dynamodb';
import { type Key, tableDefinition } from '../../../lib/store/client/definition.ts';
import type { MarshalledItem } from '../../../lib/store/client/marshall.ts';
import { itemBytesMax } from '../../../lib/store/item.ts';
import { assertUnicode, bytesOfItem, pick } from './attributes.ts';
import type { Database, ItemRow, StoredItem } from './database.ts';
import { badRequest, StoreError } from './store-error.ts';

/** The names of the two attributes that form the key of a table or an index. Both are strings. */
type KeyNames = Key;

interface Index extends KeyNames {
  readonly name: string;
  /** The attributes that the index contains in addition to the keys. */
  readonly attributes: readonly string[];
}

export interface Table extends KeyNames {
  readonly id: number;
  readonly name: string;
  readonly index: Index | undefined;
  readonly definition: CreateTableInput;
}

/** The tables of a database. Like those of Flagstaff, each has a key of two strings, and at most one index with such a key. */
export class Tables {
  readonly #database: Database;
  #byName = new Map<string, Table>();
  /** The version of the database when its tables were listed. */
  #version: number | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws StoreError if there is no table of that name. */
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
    // The definition is checked before it is stored, so that every stored one can be read.
    const table = { ...buildTable(0, definition), id: this.#database.addTable(name, JSON.stringify(definition)) };
    this.#tables.set(name, table);
    return table;
  }

  delete(name: string | undefined): Table {
    const table = this.get(name);
    this.#database.removeTable(table.id);
    this.#tables.delete(table.name);
    return table;
  }

  /** The tables by name. They are listed again after another process has written, since it may have created or deleted tables. */
  get #tables(): Map<string, Table> {
    if (this.#version !== this.#database.version) {
      const rows = this.#database.listTables();
      this.#byName = new Map(rows.map(([id, name, definition]) => [name, buildTable(id, JSON.parse(definition))]));
      this.#version = this.#database.version;
    }
    return this.#byName;
  }
}

function buildTable(id: number, definition: CreateTableInput): Table {
  const [index, ...more] = definition.GlobalSecondaryIndexes ?? [];
  if (more.length > 0 || definition.LocalSecondaryIndexes?.length) {
    throw badRequest('This store supports no more than one global secondary index per table.');
  }
  return {
    ...readKeyNames(definition.KeySchema, definition),
    id,
    name: String(definition.TableName),
    index: index && {
      ...readKeyNames(index.KeySchema, definition),
      name: String(index.IndexName),
      attributes: index.Projection?.NonKeyAttributes ?? [],
    },
    definition,
  };
}

function readKeyNames(schema: KeySchemaElement[] | undefined, { AttributeDefinitions }: CreateTableInput): KeyNames {
  const nameOf = (type: string) => {
    const name = schema?.find(({ KeyType }) => KeyType === type)?.AttributeName;
    const attribute = AttributeDefinitions?.find(({ AttributeName }) => AttributeName === name);
    if (attribute?.AttributeType === 'S') return String(name);
    throw badRequest('This store supports only tables with a partition key and a sort key, both strings.');
  };
  return { pk: nameOf('HASH'), sk: nameOf('RANGE') };
}

/** Returns the description of a table for `DescribeTable`. */
export const describeTable = ({ definition }: Table): object => ({
  ...definition,
  TableStatus: 'ACTIVE',
  GlobalSecondaryIndexes: definition.GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexStatus: 'ACTIVE' })),
});

/**
 * Reads a key from a request, whose attributes must be those of the key only.
 * @throws StoreError if the store refuses the key.
 */
export function parseKey(names: KeyNames, attributes: MarshalledItem = {}): Key {
  if (Object.keys(attributes).length !== 2) {
    throw badRequest('The provided key element does not match the schema: a key must have exactly two attributes');
  }
  return keyOfItem(names, attributes);
}

/**
 * Returns the key of an item in a table or index.
 * @throws StoreError if the store refuses the key.
 */
export function keyOfItem(names: KeyNames, item: MarshalledItem): Key {
  // AWS's documented limits of the parts of a key, in bytes.
  return { pk: readKeyPart(item, names.pk, 2048), sk: readKeyPart(item, names.sk, 1024) };
}

function readKeyPart(item: MarshalledItem, name: string, maxBytes: number): string {
  const text = item[name]?.S;
  if (text && Buffer.byteLength(text) <= maxBytes) return assertUnicode(text);
  throw badRequest(
    `The provided key element does not match the schema: ${name} must be a string of 1 to ${maxBytes} bytes`,
  );
}

/**
 * Returns the row of an item.
 * @throws StoreError if the item is too large, or if an attribute of the index's key is not a string, or is empty.
 */
export function buildRow(table: Table, item: MarshalledItem, key = keyOfItem(table, item)): ItemRow {
  const bytes = bytesOfItem(item);
  if (bytes > itemBytesMax) throw badRequest('Item size has exceeded the maximum allowed size');
  const seconds = String(item[tableDefinition.timeToLive]?.N);
  return {
    ...key,
    ...indexKeyOf(table.index, item),
    bytes,
    item: JSON.stringify(item),
    // DynamoDB, too, lets an item expire only if the attribute is a whole number.
    expiresAt: /^\d{1,15}$/.test(seconds) ? Number(seconds) : null,
  };
}

/** Returns the key of an item in the index, which contains only items with both attributes. */
function indexKeyOf(index: Index | undefined, item: MarshalledItem): Pick<ItemRow, 'indexPk' | 'indexSk'> {
  const indexPk = index && readIndexKeyPart(item, index.pk);
  const indexSk = index && readIndexKeyPart(item, index.sk);
  return indexPk && indexSk ? { indexPk, indexSk } : { indexPk: null, indexSk: null };
}

function readIndexKeyPart(item: MarshalledItem, name: string): string | undefined {
  const value = item[name];
  if (value === undefined || value.S) return value?.S;
  throw badRequest(
    `One or more parameter values were invalid: the index key ${name} must be a string that is not empty`,
  );
}

/** Returns the attributes of an item that the index contains; undefined if the item is not in the index. */
export function buildIndexEntry(
  { pk, sk, index }: Table,
  item: MarshalledItem | undefined,
): MarshalledItem | undefined {
  if (index === undefined || item?.[index.pk] === undefined || item[index.sk] === undefined) return undefined;
  return pick(item, [pk, sk, index.pk, index.sk, ...index.attributes]);
}

/** Returns the attributes of a stored item. They are parsed once, and only if needed: often its key and size are enough. */
export function parseItem(stored: StoredItem): MarshalledItem {
  stored.attributes ??= JSON.parse(stored.item) as MarshalledItem;
  return stored.attributes;
}
