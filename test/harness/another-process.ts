import type { Request } from '../../lib/request.ts';

/** The table as another process has it open, which remembers nothing yet. */
export function anotherProcess(table: Request): Request {
  return { ...table, store: { ...table.store, client: Object.create(table.store.client) } };
}
