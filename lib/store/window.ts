import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Key } from './client/definition.ts';
import { type Update, update } from './client/update.ts';
import { resendConflicts } from './transactions/transact.ts';
import type { Work } from './work.ts';

/** The count of something in a window of time, and the end of the window, in seconds since 1970. */
export interface Count {
  readonly count: number;
  readonly expiresAtSeconds: number;
}

/**
 * Counts something in a window of time that begins with the first of them, and says how many they are with this one. Each
 * of those who count at the same moment gets a number of their own.
 */
export async function countInWindow(work: Work, key: Key, amount: number, windowSeconds: number): Promise<Count> {
  const now = Math.floor(Date.now() / 1000);
  const end = { expiresAtSeconds: now + windowSeconds };
  const countedAs = (change: Update, ConditionExpression: string) =>
    resendConflicts({}, async () => {
      const condition = {
        ConditionExpression,
        ExpressionAttributeValues: { ':now': now },
        returned: 'ALL_NEW' as const,
      };
      const { count, expiresAtSeconds } = await update(work.store, [work], key, change, condition);
      return { count: Number(count), expiresAtSeconds: Number(expiresAtSeconds) };
    });
  const countOn = () =>
    countedAs(
      { add: { count: amount }, init: end },
      'attribute_not_exists(expiresAtSeconds) OR expiresAtSeconds > :now',
    );
  try {
    return await countOn();
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  try {
    // The store takes its time to clear away what has expired.
    return await countedAs({ set: { count: amount, ...end } }, 'expiresAtSeconds <= :now');
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return countOn();
  }
}
