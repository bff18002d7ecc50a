import type { Request } from '../../../lib/request.ts';
import { recordStoreRequests, type StoreRequestRecord } from '../../harness/store-requests.ts';

/** Cost of an action at the store, by the store's own figures. */
export interface Cost {
  readonly requests: number;
  /** Number of requests made one after the other. */
  readonly waits: number;
  /** Number of requests that write. */
  readonly transactions: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Number of items that the transactions name. */
  readonly itemsWritten: number;
}

/** Measures an action. */
export async function costOf(table: Request, action: () => Promise<unknown>): Promise<Cost> {
  return costIn(await recordStoreRequests(table, action));
}

/** Sums up recorded requests. */
export function costIn(requests: readonly StoreRequestRecord[]): Cost {
  const isRead = ({ command }: { command: string }) => ['BatchGet', 'Get', 'Query'].includes(command);
  const transactions = requests.filter(({ command }) => command === 'TransactWrite');
  const unitsOf = (some: readonly StoreRequestRecord[]) => some.reduce((sum, { units }) => sum + units, 0);
  return {
    requests: requests.length,
    waits: Math.max(-1, ...requests.map(({ wave }) => wave)) + 1,
    transactions: transactions.length,
    readUnits: unitsOf(requests.filter(isRead)),
    writeUnits: unitsOf(requests.filter((request) => !isRead(request))),
    itemsWritten: transactions.reduce((sum, { targets }) => sum + targets.length, 0),
  };
}
