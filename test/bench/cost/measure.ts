import type { Request } from '../../../lib/request.ts';
import { recordStoreRequests, type StoreRequestRecord } from '../../harness/store-requests.ts';

/** What an action asked of the store, by the store's own figures. */
export interface Cost {
  readonly requests: number;
  /** How many of them came one after the other. */
  readonly waits: number;
  /** How many of them write. */
  readonly transactions: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** How many items the transactions name. */
  readonly itemsWritten: number;
}

/** Measures an action. */
export async function costOf(table: Request, action: () => Promise<unknown>): Promise<Cost> {
  return costIn(await recordStoreRequests(table, action));
}

/** What recorded requests come to. */
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
