import { changeItem } from '../../store/change-item.ts';
import type { Key } from '../../store/client/definition.ts';
import type { Attributes } from '../../store/item.ts';
import type { Work } from '../../store/work.ts';
import { clocksApartMs } from './schedule.ts';

/** Attributes of an item on which one process at a time works, and which waits in between. */
export interface Leased {
  /** The holder's own text; empty where nobody holds it. */
  readonly lease: string;
  /** Times are in milliseconds since 1970. */
  readonly leaseUntil: number;
  /** Nobody takes it before; 0 if it does not wait. */
  readonly waitUntil: number;
  /** The highest number that others have asked the holder, or the next one, for. */
  readonly wanted: number;
}

interface Taking {
  readonly holder: string;
  readonly now: number;
  readonly until: number;
  /** Takes it though it waits. */
  readonly early?: boolean;
}

type Values = Readonly<Record<string, string | number>>;

/**
 * Takes an item, which is made where it is missing. A lease that has run out is no obstacle: its holder finds every further
 * write refused. Nor is one that ends long after this one would: the clock of its holder was ahead.
 * @returns the item; undefined where another one holds it, or where it waits.
 */
export async function takeLease(
  work: Work,
  key: Key,
  { holder, now, until, early }: Taking,
): Promise<Attributes | undefined> {
  const isFree =
    '(attribute_not_exists(lease) OR lease = :none OR lease = :holder OR leaseUntil <= :now OR leaseUntil > :latest)';
  const isDue = '(attribute_not_exists(waitUntil) OR waitUntil <= :now)';
  return changeItem(
    work,
    key,
    { set: { lease: holder, leaseUntil: until } },
    {
      ConditionExpression: early ? isFree : `${isFree} AND ${isDue}`,
      ExpressionAttributeValues: { ':none': '', ':holder': holder, ':now': now, ':latest': until + clocksApartMs },
    },
  );
}

/** Changes an item that is held. @returns the item; undefined where somebody else has taken it meanwhile. */
export function changeHeld(work: Work, key: Key, holder: string, set: Values): Promise<Attributes | undefined> {
  return changeItem(
    work,
    key,
    { set },
    {
      ConditionExpression: 'lease = :holder',
      ExpressionAttributeValues: { ':holder': holder },
    },
  );
}

/**
 * Gives an item back, unless others have asked for more than `upTo` meanwhile.
 * @returns true if it is free; false where more is wanted, or where somebody else has taken it.
 */
export async function giveBack(work: Work, key: Key, holder: string, upTo: number, set: Values): Promise<boolean> {
  const given = await changeItem(
    work,
    key,
    { set: { ...set, lease: '', leaseUntil: 0 } },
    {
      ConditionExpression: 'lease = :holder AND (attribute_not_exists(wanted) OR wanted <= :upTo)',
      ExpressionAttributeValues: { ':holder': holder, ':upTo': upTo },
    },
  );
  return given !== undefined;
}

/** Asks the holder of an item for more; one that is given back has no time left. @returns false where nobody holds it, or where as much is wanted already. */
export async function askHolder(work: Work, key: Key, wanted: number, now: number): Promise<boolean> {
  const asked = await changeItem(
    work,
    key,
    { set: { wanted } },
    {
      ConditionExpression: 'leaseUntil > :now AND (attribute_not_exists(wanted) OR wanted < :wanted)',
      ExpressionAttributeValues: { ':now': now, ':wanted': wanted },
    },
  );
  return asked !== undefined;
}
