import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { normalItem } from './attributes.ts';
import { isBusy } from './busy.ts';
import type { Database } from './database.ts';
import { ofAnother } from './store-error.ts';
import { itemRow, Tables } from './tables.ts';

/** A table as the embedded store of release 0.2 and before has kept it. */
interface EarlierTable {
  readonly table_name: string;
  readonly key_schema: string;
  readonly attribute_definitions: string;
  readonly gsi_definitions: string | null;
}

/**
 * Copies all tables of a file of the embedded store of release 0.2 and before, which was SQLite too, into a database, unless
 * that has some: all of them or, where it is cut off, none.
 * @throws Error where the file is no such store, or where that release has it open.
 */
export function takeOver(database: Database, file: string): void {
  if (database.tables().length > 0) return;
  const earlier = new DatabaseSync(file, { timeout: 0 });
  try {
    // What that release writes from now on would be lost.
    earlier.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (earlier.prepare("SELECT 1 FROM sqlite_schema WHERE name = '_tables'").get() === undefined) {
      throw new Error(ofAnother(file));
    }
    const tables = new Tables(database);
    for (const each of earlier.prepare('SELECT * FROM _tables').all() as unknown as EarlierTable[]) {
      const table = tables.create({
        TableName: each.table_name,
        KeySchema: JSON.parse(each.key_schema),
        AttributeDefinitions: JSON.parse(each.attribute_definitions),
        GlobalSecondaryIndexes: JSON.parse(each.gsi_definitions ?? '[]'),
      });
      const name = each.table_name.replaceAll('"', '""');
      for (const { item_json: item } of earlier.prepare(`SELECT item_json FROM "${name}"`).iterate()) {
        database.put(table.id, itemRow(table, normalItem(JSON.parse(String(item)))));
      }
    }
  } catch (error) {
    throw isBusy(error) ? new Error('Flagstaff 0.2 or an earlier release has store.db open; stop it first.') : error;
  } finally {
    earlier.close();
  }
  // That of a process that was killed, which an exclusive reader leaves alone.
  rmSync(`${file}-shm`, { force: true });
}
