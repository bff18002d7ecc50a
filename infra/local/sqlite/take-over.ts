import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { normalizeItem } from './attributes.ts';
import { isBusy } from './busy.ts';
import type { Database } from './database.ts';
import { describeForeignFile } from './store-error.ts';
import { buildRow, Tables } from './tables.ts';

/** The row of a table in the embedded store of release 0.2 and earlier. */
interface EarlierTable {
  readonly table_name: string;
  readonly key_schema: string;
  readonly attribute_definitions: string;
  readonly gsi_definitions: string | null;
}

/**
 * Copies all tables from a file of the embedded store of release 0.2 or earlier (also SQLite) into a database without tables. After an
 * interruption, none is copied.
 * @throws Error if the file is not such a store, or if that release has it open.
 */
export function takeOver(database: Database, file: string): void {
  if (database.listTables().length > 0) return;
  const earlier = new DatabaseSync(file, { timeout: 0 });
  try {
    // Later changes by that release would be lost.
    earlier.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (earlier.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_tables'").get() === undefined) {
      throw new Error(describeForeignFile(file));
    }
    const tables = new Tables(database);
    for (const row of earlier.prepare('SELECT * FROM _tables').all() as unknown as EarlierTable[]) {
      const table = tables.create({
        TableName: row.table_name,
        KeySchema: JSON.parse(row.key_schema),
        AttributeDefinitions: JSON.parse(row.attribute_definitions),
        GlobalSecondaryIndexes: JSON.parse(row.gsi_definitions ?? '[]'),
      });
      const name = row.table_name.replaceAll('"', '""');
      for (const { item_json: item } of earlier.prepare(`SELECT item_json FROM "${name}"`).iterate()) {
        database.put(table.id, buildRow(table, normalizeItem(JSON.parse(String(item)))));
      }
    }
  } catch (error) {
    throw isBusy(error) ? new Error('Flagstaff 0.2 or an earlier release has store.db open; stop it first.') : error;
  } finally {
    earlier.close();
  }
  // A killed process leaves this file behind, and an exclusive reader does not remove it.
  rmSync(`${file}-shm`, { force: true });
}
