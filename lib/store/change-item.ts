import type { Key } from './client/definition.ts';
import { isException } from './client/exceptions.ts';
import { sendUpdate, type Update, type UpdateOptions } from './client/update.ts';
import type { Attributes } from './item.ts';
import { resendConflicts } from './transactions/transact.ts';
import type { Work } from './work.ts';

/**
 * Updates an item outside of any transaction, and creates it if it is missing.
 * @returns the item after the change; undefined if the condition is false.
 */
export async function changeItem(
  work: Work,
  key: Key,
  change: Update,
  condition: UpdateOptions = {},
): Promise<Attributes | undefined> {
  try {
    const options = { ...condition, returned: 'ALL_NEW' as const };
    return (await resendConflicts(work, () => sendUpdate(work.store, [work], key, change, options))) as Attributes;
  } catch (error) {
    if (isException(error, 'ConditionalCheckFailedException')) return undefined;
    throw error;
  }
}
