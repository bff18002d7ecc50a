import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../lib/request.ts';

/** Longer than the requests take that were made at the same moment. */
const lateMs = 200;

/**
 * Keeps the first request that names something waiting until those beside it are answered, and lets something else happen
 * before it goes out.
 * @param named a part of the request as JSON.
 */
export function lateRequest({ store: { client } }: Request, named: string, happens: () => Promise<unknown>): void {
  const name = 'late request';
  client.middlewareStack.add(
    (next) => async (args) => {
      if (JSON.stringify(args.input).includes(named) && client.middlewareStack.remove(name)) {
        await sleep(lateMs);
        await happens();
      }
      return next(args);
    },
    { step: 'initialize', priority: 'high', name },
  );
}
