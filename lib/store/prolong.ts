import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Key } from './client/definition.ts';
import { update } from './client/update.ts';
import { resendConflicts } from './transactions/transact.ts';
import type { Work } from './work.ts';

/** Moves the end of an item, apart from any transaction. One that has no end, or is gone, is left alone. */
export async function prolong(work: Work, key: Key, expiresAtSeconds: number): Promise<void> {
  const hasEnd = { ConditionExpression: 'attribute_exists(expiresAtSeconds)' };
  try {
    await resendConflicts(work, () => update(work.store, [work], key, { set: { expiresAtSeconds } }, hasEnd));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
