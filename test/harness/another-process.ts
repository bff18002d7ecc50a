import type { Table } from '../../lib/table/table.ts';

/** The table as another process has it open, which remembers nothing yet. */
export function anotherProcess(table: Table): Table {
  return { ...table, client: Object.create(table.client) };
}
