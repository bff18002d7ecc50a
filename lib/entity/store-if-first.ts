import type { Request } from '../request.ts';
import { LostRace } from '../store/transactions/retry.ts';
import { transact } from '../store/transactions/transact.ts';
import type { Write } from '../store/transactions/write.ts';

/** Stores writes of a transaction. @returns false where another writer was faster, and nothing is stored. */
export async function storeIfFirst(request: Request, ...writes: Write[]): Promise<boolean> {
  try {
    await transact(request, writes, undefined);
    return true;
  } catch (error) {
    if (error instanceof LostRace) return false;
    throw error;
  }
}
