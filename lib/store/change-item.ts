import type { Key } from './client/definition.ts';
import { isException } from './client/exceptions.ts';
import { type Update, type UpdateOptions, update } from './client/update.ts';
import type { Attributes } from './item.ts';
import { resendConflicts } from './transactions/transact.ts';
import type { Work } from './work.ts';

/**
 * Changes an item, which is made where it is missing, apart from any transaction.
 * @returns the item then; undefined where the condition does not hold.
 */
export async function changeItem(
  work: Work,
  key: Key,
  change: Update,
  condition: UpdateOptions = {},
): Promise<Attributes | undefined> {
  try {
    const options = { ...condition, returned: 'ALL_NEW' as const };
    return (await resendConflicts(work, () => update(work.store, [work], key, change, options))) as Attributes;
  } catch (error) {
    if (isException(error, 'ConditionalCheckFailedException')) return undefined;
    throw error;
  }
}
