import type { Key } from '../client/definition.ts';
import { sendUpdate } from '../client/update.ts';
import type { Work } from '../work.ts';

/**
 * Sets an attribute of an item that exists, outside of any transaction and without a new version: for what may be lost,
 * such as when something was last used.
 * @param patienceMs how long it may take before it is given up.
 * @throws Error where it could not be set: the item is gone, a transaction holds it, the store is out of reach.
 */
export async function touch(
  { store, usage }: Work,
  key: Key,
  attribute: string,
  value: string | number,
  patienceMs: number,
): Promise<void> {
  const asker = { usage, signal: AbortSignal.timeout(patienceMs) };
  const options = { ConditionExpression: 'attribute_exists(pk)', mayBeLost: true };
  await sendUpdate(store, [asker], key, { set: { [attribute]: value } }, options);
}
