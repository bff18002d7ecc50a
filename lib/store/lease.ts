import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import type { Key } from './client/definition.ts';
import { type Expression, update } from './client/update.ts';
import type { Attributes } from './item.ts';
import { resendConflicts } from './transactions/transact.ts';
import type { Work } from './work.ts';

/** Attributes of an item on which one process at a time works, and which waits in between. */
export interface Leased {
  /** The holder's own text; empty where nobody holds it. */
  readonly lease: string;
  /** Times are in milliseconds since 1970. */
  readonly leaseUntil: number;
  /** Nobody takes it before; 0 if it does not wait. */
  readonly waitUntil: number;
  /** The highest number that others have asked the holder for. */
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
 * write refused.
 * @returns the item; undefined where another one holds it, or where it waits.
 */
export async function takeLease(
  work: Work,
  key: Key,
  { holder, now, until, early }: Taking,
): Promise<Attributes | undefined> {
  const isFree = '(attribute_not_exists(lease) OR lease = :none OR lease = :holder OR leaseUntil <= :now)';
  const isDue = '(attribute_not_exists(waitUntil) OR waitUntil <= :now)';
  return changed(
    work,
    key,
    { lease: holder, leaseUntil: until },
    {
      ConditionExpression: early ? isFree : `${isFree} AND ${isDue}`,
      ExpressionAttributeValues: { ':none': '', ':holder': holder, ':now': now },
    },
  );
}

/** Changes an item that is held. @returns the item; undefined where somebody else has taken it meanwhile. */
export function changeHeld(work: Work, key: Key, holder: string, set: Values): Promise<Attributes | undefined> {
  return changed(work, key, set, {
    ConditionExpression: 'lease = :holder',
    ExpressionAttributeValues: { ':holder': holder },
  });
}

/**
 * Gives an item back, unless others have asked for more than `upTo` meanwhile.
 * @returns true if it is free; false where more is wanted, or where somebody else has taken it.
 */
export async function giveBack(work: Work, key: Key, holder: string, upTo: number, set: Values): Promise<boolean> {
  const given = await changed(
    work,
    key,
    { ...set, lease: '', leaseUntil: 0 },
    {
      ConditionExpression: 'lease = :holder AND (attribute_not_exists(wanted) OR wanted <= :upTo)',
      ExpressionAttributeValues: { ':holder': holder, ':upTo': upTo },
    },
  );
  return given !== undefined;
}

/** Asks the holder of an item for more; one that is given back has no time left. @returns false where nobody holds it, or where as much is wanted already. */
export async function askHolder(work: Work, key: Key, wanted: number, now: number): Promise<boolean> {
  const asked = await changed(
    work,
    key,
    { wanted },
    {
      ConditionExpression: 'leaseUntil > :now AND (attribute_not_exists(wanted) OR wanted < :wanted)',
      ExpressionAttributeValues: { ':now': now, ':wanted': wanted },
    },
  );
  return asked !== undefined;
}

/** Sets attributes where a condition holds. @returns the item then; undefined where it does not hold. */
async function changed(work: Work, key: Key, set: Values, condition: Expression): Promise<Attributes | undefined> {
  try {
    const options = { ...condition, returned: 'ALL_NEW' as const };
    return (await resendConflicts(work, () => update(work.store, [work], key, { set }, options))) as Attributes;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}

/** Changes an item without a condition, apart from any transaction. @returns the item then. */
export async function changeFreely(
  work: Work,
  key: Key,
  change: { readonly set?: Values; readonly add?: Readonly<Record<string, number>>; readonly init?: Values },
): Promise<Attributes> {
  const options = { returned: 'ALL_NEW' as const };
  return (await resendConflicts(work, () => update(work.store, [work], key, change, options))) as Attributes;
}
