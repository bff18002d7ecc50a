import { tableDefinition } from '../../../lib/store/client/definition.ts';
import { bytesOfItem, unicode, type WireItem } from './attributes.ts';
import type { Database, IndexedItem, KeptItem } from './database.ts';
import { badRequest, StoreError } from './store-error.ts';

type KeySchema = readonly { readonly AttributeName: string; readonly KeyType: string }[];

/** The request that creates a table, as far as it matters here. */
export interface TableDefinition {
  readonly TableName?: string;
  readonly KeySchema?: KeySchema;
  readonly AttributeDefinitions?: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeySchema: KeySchema;
    readonly Projection?: { readonly NonKeyAttributes?: readonly string[] };
  }[];
  readonly LocalSecondaryIndexes?: readonly unknown[];
}

/** The names of the two attributes by which a table or an index is ordered; both are texts. */
interface KeyNames {
  readonly pk: string;
  readonly sk: string;
}

interface Index extends KeyNames {
  readonly name: string;
  /** The attributes that the index holds besides the keys. */
  readonly attributes: readonly string[];
}

export interface Table extends KeyNames {
  readonly id: number;
  readonly name: string;
  readonly index: Index | undefined;
  readonly definition: TableDefinition;
}

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** AWS's documented limits of the parts of a key, in bytes. */
const keyBytesMax = { pk: 2048, sk: 1024 };

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
  get(name: unknown): Table {
    const table = this.#tables.get(String(name));
    if (table === undefined)
      throw new StoreError('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
    return table;
  }

  create(definition: TableDefinition): Table {
    const name = definition.TableName ?? '';
    if (!/^[\w.-]{3,255}$/.test(name))
      throw badRequest('TableName must have 3 to 255 of the characters a-z, A-Z, 0-9, _, - and .');
    if (this.#tables.has(name)) throw new StoreError('ResourceInUseException', `Table already exists: ${name}`);
    // Before it is kept, so that nothing is kept that cannot be read.
    tableOf(0, definition);
    const table = tableOf(this.#database.addTable(name, JSON.stringify(definition)), definition);
    this.#tables.set(name, table);
    return table;
  }

  delete(name: unknown): Table {
    const table = this.get(name);
    this.#database.removeTable(table.id);
    this.#tables.delete(table.name);
    return table;
  }

  /** By name. Another process may make and delete some, too. */
  get #tables(): Map<string, Table> {
    if (this.#version !== this.#database.version) {
      const found = this.#database.tables();
      this.#known = new Map(found.map(({ id, name, definition }) => [name, tableOf(id, JSON.parse(definition))]));
      this.#version = this.#database.version;
    }
    return this.#known;
  }
}

function tableOf(id: number, definition: TableDefinition): Table {
  const [index, ...more] = definition.GlobalSecondaryIndexes ?? [];
  if (more.length > 0 || definition.LocalSecondaryIndexes?.length) {
    throw badRequest('This store gives a table no more than one global secondary index.');
  }
  return {
    id,
    name: definition.TableName ?? '',
    ...keyNames(definition.KeySchema, definition),
    index: index && {
      name: index.IndexName ?? '',
      ...keyNames(index.KeySchema, definition),
      attributes: index.Projection?.NonKeyAttributes ?? [],
    },
    definition,
  };
}

function keyNames(schema: KeySchema | undefined, definition: TableDefinition): KeyNames {
  const named = (type: string) => schema?.find(({ KeyType }) => KeyType === type)?.AttributeName ?? '';
  const names = { pk: named('HASH'), sk: named('RANGE') };
  for (const name of Object.values(names)) {
    const attribute = definition.AttributeDefinitions?.find(({ AttributeName }) => AttributeName === name);
    if (attribute?.AttributeType !== 'S')
      throw badRequest('This store takes tables with a partition key and a sort key, both texts.');
  }
  return names;
}

/** The answer to a question about a table. */
export function describe({ name, definition }: Table): object {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = definition;
  return {
    TableName: name,
    TableStatus: 'ACTIVE',
    KeySchema,
    AttributeDefinitions,
    ...(GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((each) => ({ ...each, IndexStatus: 'ACTIVE' })),
    }),
  };
}

/**
 * The key in attributes.
 * @param isWhole true where there must be nothing besides it.
 * @throws StoreError for one that the store does not take.
 */
export function keyIn(table: Table, attributes: WireItem | undefined, isWhole: boolean): ItemKey {
  const key = { pk: keyText(table.pk, attributes, keyBytesMax.pk), sk: keyText(table.sk, attributes, keyBytesMax.sk) };
  if (isWhole && Object.keys(attributes ?? {}).length !== 2)
    throw badRequest('The provided key element does not match the schema');
  return key;
}

function keyText(name: string, attributes: WireItem | undefined, bytesMax: number): string {
  const text = attributes?.[name]?.S;
  if (text === undefined) throw badRequest('The provided key element does not match the schema');
  if (text === '') {
    throw badRequest(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  if (Buffer.byteLength(text) > bytesMax) {
    throw badRequest(
      `One or more parameter values were invalid: the size of the key ${name} exceeds ${bytesMax} bytes`,
    );
  }
  return unicode(text);
}

/** The row of an item; its place in the index is that of its attributes, where it has both. */
export function keptFrom(table: Table, item: WireItem, key = keyIn(table, item, false)): IndexedItem {
  const indexPk = table.index && item[table.index.pk]?.S;
  const indexSk = table.index && item[table.index.sk]?.S;
  const isIndexed = indexPk !== undefined && indexSk !== undefined;
  return {
    ...key,
    bytes: bytesOfItem(item),
    item: JSON.stringify(item),
    indexPk: isIndexed ? indexPk : null,
    indexSk: isIndexed ? indexSk : null,
    expiresAt: expiryOf(item[tableDefinition.timeToLive]?.N),
  };
}

/** A whole number of seconds; DynamoDB lets nothing else expire either. */
function expiryOf(seconds = ''): number | null {
  return /^\d{1,15}$/.test(seconds) ? Number(seconds) : null;
}

/** @throws StoreError where an item has an attribute of the index's key that can be none. */
export function assertIndexable({ index }: Table, item: WireItem): void {
  for (const name of index === undefined ? [] : [index.pk, index.sk]) {
    if (item[name] === undefined) continue;
    if (!item[name].S) throw badRequest(`One or more parameter values were invalid: no text in the index key ${name}`);
  }
}

/** The attributes of an item that the index holds; undefined where the item is not in it. */
export function indexEntry(table: Table, item: WireItem | undefined): WireItem | undefined {
  const { index } = table;
  if (index === undefined || item?.[index.pk]?.S === undefined || item[index.sk]?.S === undefined) return undefined;
  return pick(item, [table.pk, table.sk, index.pk, index.sk, ...index.attributes]);
}

export const itemIn = ({ item }: Pick<KeptItem, 'item'>): WireItem => JSON.parse(item);

/** Some attributes of an item, as far as it has them. */
export function pick(item: WireItem, names: readonly string[]): WireItem {
  return Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
}
