import type { Key } from '../client/definition.ts';
import { sendUpdate } from '../client/update.ts';
import type { Work } from '../work.ts';

/**
 * Sets an attribute of an existing item outside of any transaction, without a new version and without durability. It is for values
 * that may be lost, such as the time of the last use.
 * @param patienceMs the timeout.
 * @throws Error if the attribute was not set: the item does not exist, a transaction writes it, or the store is unreachable.
 */
export async function touch(
  { store, usage }: Work,
  key: Key,
  attribute: string,
  value: string | number,
  patienceMs: number,
): Promise<void> {
  const caller = { usage, signal: AbortSignal.timeout(patienceMs) };
  const options = { ConditionExpression: 'attribute_exists(pk)', mayBeLost: true };
  await sendUpdate(store, [caller], key, { set: { [attribute]: value } }, options);
}
