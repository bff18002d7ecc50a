import { AsyncLocalStorage } from 'node:async_hooks';
import type { Request } from '../../lib/request.ts';
import { interceptRequests } from './intercept.ts';

/** Something under way in a process that is stuck for the time being. */
export interface Stuck<T> {
  /** True if it has come as far as the transaction before which it stops; otherwise it has ended. */
  readonly isStuck: boolean;
  /** Lets it go on to its end. */
  goOn(): Promise<T>;
}

/**
 * Starts an action, and stops it before one of its transactions, with all that it has read until then. Others use the
 * same table meanwhile.
 * @param after number of its transactions that are carried out before.
 */
export async function stuckAfter<T>(table: Request, after: number, action: () => Promise<T>): Promise<Stuck<T>> {
  const own = new AsyncLocalStorage<true>();
  const [stopped, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let seen = 0;
  const interception = interceptRequests(table, async ({ operation }, next) => {
    if (operation !== 'TransactWriteItems' || own.getStore() === undefined) return next();
    seen += 1;
    if (seen > after) {
      stopped.resolve();
      await released.promise;
    }
    return next();
  });
  const result = own.run(true, action).finally(() => interception[Symbol.dispose]());
  const isStuck = await Promise.race([stopped.promise.then(() => true), result.then(() => false)]);
  return {
    isStuck,
    goOn() {
      released.resolve();
      return result;
    },
  };
}
