import { changeItem } from '../../store/change-item.ts';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import type { Work } from '../../store/work.ts';
import { clocksApartMs } from './backoff.ts';

/** The time for which a process holds an item without a further word. */
export const leaseMs = 60_000;

/**
 * Takes an item by a lease, and makes it where it is missing. A lease that has run out is no obstacle: its holder finds every further
 * write refused. Nor is one that ends long after this one would: the clock of its holder was ahead.
 * @param isIdle true for an item that must not wait.
 * @returns the item; undefined where another one holds it, or where it waits.
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

/** Changes an item under a lease. @returns false where somebody else has taken it meanwhile. */
export async function changeLeased(
  work: Work,
  key: Key,
  holder: string,
  set: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  const condition = { ConditionExpression: 'lease = :holder', ExpressionAttributeValues: { ':holder': holder } };
  return (await changeItem(work, key, { set }, condition)) !== undefined;
}
