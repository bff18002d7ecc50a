import { randomUUID } from 'node:crypto';
import { changeItem } from '../../store/change-item.ts';
import type { Key } from '../../store/client/definition.ts';
import type { Work } from '../../store/work.ts';

/**
 * Claims something that can be claimed once at a time, outside of any transaction: of several who try at the same
 * moment one succeeds.
 * @param seconds how long nobody can claim it again.
 * @returns whether it was free.
 */
export async function claim(work: Work, key: Key, seconds: number): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000);
  const holder = randomUUID();
  // A request whose answer was lost is repeated by the SDK, and finds what it has claimed itself.
  const isFree = {
    ConditionExpression: 'attribute_not_exists(expiresAtSeconds) OR expiresAtSeconds <= :now OR holder = :holder',
    ExpressionAttributeValues: { ':now': now, ':holder': holder },
  };
  const set = { expiresAtSeconds: now + seconds, holder };
  return (await changeItem(work, key, { set }, isFree)) !== undefined;
}
