import { changeItem } from './change-item.ts';
import type { Key } from './client/definition.ts';
import type { Update } from './client/update.ts';
import type { Work } from './work.ts';

/** The count in a time window, and the end of the window in seconds since 1970. */
export interface WindowCount {
  readonly count: number;
  readonly expiresAtSeconds: number;
}

/**
 * Adds to a count in a time window, which begins with the first addition, and returns the new count. Concurrent callers get
 * different counts.
 */
export async function countInWindow(work: Work, key: Key, amount: number, windowSeconds: number): Promise<WindowCount> {
  const now = Math.floor(Date.now() / 1000);
  const end = { expiresAtSeconds: now + windowSeconds };
  const tryCount = async (change: Update, ConditionExpression: string): Promise<WindowCount | undefined> => {
    // The write need not be durable: nobody can cause a power cut to be counted less, and a flood of counts must not load the disk.
    const condition = { ConditionExpression, ExpressionAttributeValues: { ':now': now }, mayBeLost: true };
    const item = await changeItem(work, key, change, condition);
    return item && { count: Number(item.count), expiresAtSeconds: Number(item.expiresAtSeconds) };
  };
  for (;;) {
    const isOpen = 'attribute_not_exists(expiresAtSeconds) OR expiresAtSeconds > :now';
    const counted =
      (await tryCount({ add: { count: amount }, init: end }, isOpen)) ??
      // DynamoDB deletes expired items with a delay.
      (await tryCount({ set: { count: amount, ...end } }, 'expiresAtSeconds <= :now'));
    if (counted !== undefined) return counted;
  }
}
