import { changeItem } from '../../store/change-item.ts';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import type { Work } from '../../store/work.ts';
import { clocksApartMs } from './backoff.ts';

/** The time after which a lease ends unless it is renewed. */
export const leaseMs = 60_000;

/**
 * Takes the lease of an item, and creates a missing item. An expired lease can be taken, since all further writes of its holder
 * fail. So can a lease that ends much later than a new one would: the clock of its holder was ahead.
 * @param isIdle true if the item must not be waiting.
 * @returns the item; undefined if another process holds it, or if it is waiting.
 */
export async function takeLease(
  work: Work,
  key: Key,
  { holder, now, isIdle }: { readonly holder: string; readonly now: number; readonly isIdle?: boolean },
): Promise<Attributes | undefined> {
  const leaseUntil = now + leaseMs;
  const isFree =
    '(attribute_not_exists(lease) OR lease = :none OR lease = :holder OR leaseUntil <= :now OR leaseUntil > :latest)';
  const doesNotWait = '(attribute_not_exists(waitUntil) OR waitUntil = :zero)';
  const values = { ':none': '', ':holder': holder, ':now': now, ':latest': leaseUntil + clocksApartMs };
  return changeItem(
    work,
    key,
    { set: { lease: holder, leaseUntil } },
    isIdle
      ? { ConditionExpression: `${isFree} AND ${doesNotWait}`, ExpressionAttributeValues: { ...values, ':zero': 0 } }
      : { ConditionExpression: isFree, ExpressionAttributeValues: values },
  );
}

/** Changes an item under a lease. @returns false if another process has taken the lease. */
export async function changeLeased(
  work: Work,
  key: Key,
  holder: string,
  set: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  const condition = { ConditionExpression: 'lease = :holder', ExpressionAttributeValues: { ':holder': holder } };
  return (await changeItem(work, key, { set }, condition)) !== undefined;
}
