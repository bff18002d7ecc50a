import { changeItem } from './change-item.ts';
import type { Key } from './client/definition.ts';
import type { Update } from './client/update.ts';
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
  const countedAs = async (change: Update, ConditionExpression: string): Promise<Count | undefined> => {
    // Nobody causes power cuts to be counted less often, and a flood of those who are counted must not keep the disk busy.
    const condition = { ConditionExpression, ExpressionAttributeValues: { ':now': now }, mayBeLost: true };
    const item = await changeItem(work, key, change, condition);
    return item && { count: Number(item.count), expiresAtSeconds: Number(item.expiresAtSeconds) };
  };
  for (;;) {
    const isOpen = 'attribute_not_exists(expiresAtSeconds) OR expiresAtSeconds > :now';
    const counted =
      (await countedAs({ add: { count: amount }, init: end }, isOpen)) ??
      // The store takes its time to clear away what has expired.
      (await countedAs({ set: { count: amount, ...end } }, 'expiresAtSeconds <= :now'));
    if (counted !== undefined) return counted;
  }
}
