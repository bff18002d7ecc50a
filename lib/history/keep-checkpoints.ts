import type { Request } from '../request.ts';
import type { Key } from '../store/client/definition.ts';
import { transact } from '../store/transactions/transact.ts';
import { workThrough } from '../store/work-through.ts';
import type { TimeBudget } from '../values/time-budget.ts';
import { putCheckpoint, readCheckpointBucket } from './checkpoint-bucket.ts';
import { findCheckpoint } from './checkpoints.ts';
import * as historyKeys from './keys.ts';

/**
 * Puts all checkpoints that are not in the bucket yet into it. The transaction that stores a checkpoint also notes that the bucket lacks it,
 * and the note is removed after the put. So a process may die at any point, and several may run at the same time: the next call puts
 * every checkpoint that still has a note, and a put of one that is there changes nothing.
 * @returns false if some are left for the next call.
 * @throws Error the first failure, after all puts were tried.
 */
export async function keepCheckpoints(request: Request, budget?: TimeBudget): Promise<boolean> {
  const bucket = readCheckpointBucket();
  if (bucket === undefined) return true;
  return workThrough<Key>(request, historyKeys.unkeptCheckpoints(), { budget }, async ({ pk, sk }) => {
    const checkpoint = await findCheckpoint(request, Number(sk));
    if (checkpoint !== undefined) await putCheckpoint(bucket, checkpoint);
    await transact(request, [{ remove: { pk, sk } }], undefined);
  });
}
