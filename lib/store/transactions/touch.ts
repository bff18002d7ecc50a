import { ask } from '../client/ask.ts';
import { updateItem } from '../client/commands.ts';
import type { Key } from '../client/definition.ts';
import type { Work } from '../work.ts';

/**
 * Sets an attribute of an item that exists, outside of any transaction and without a new version: for what may be lost,
 * such as when something was last used.
 * @param patienceMs how long it may take before it is given up.
 * @throws Error where it could not be set: the item is gone, a transaction holds it, the store is out of reach.
 */
export async function touch(
  { store: { name, client }, usage }: Work,
  key: Key,
  attribute: string,
  value: string | number,
  patienceMs: number,
): Promise<void> {
  const command = updateItem({
    TableName: name,
    Key: key,
    UpdateExpression: 'SET #attribute = :value',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: { ':value': value },
    ReturnConsumedCapacity: 'TOTAL',
  });
  const signal = AbortSignal.timeout(patienceMs);
  await ask([{ usage, signal }], 'writeUnits', (options) => client.send(command, options));
}
