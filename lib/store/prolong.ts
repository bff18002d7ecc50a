import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { ask } from './client/ask.ts';
import { updateItem } from './client/commands.ts';
import type { Key } from './client/definition.ts';
import { resendConflicts } from './transactions/transact.ts';
import type { Work } from './work.ts';

/** Moves the end of an item, apart from any transaction. One that has no end, or is gone, is left alone. */
export async function prolong(work: Work, key: Key, expiresAtSeconds: number): Promise<void> {
  const command = updateItem({
    TableName: work.store.name,
    Key: key,
    UpdateExpression: 'SET #end = :end',
    ConditionExpression: 'attribute_exists(#end)',
    ExpressionAttributeNames: { '#end': 'expiresAtSeconds' },
    ExpressionAttributeValues: { ':end': expiresAtSeconds },
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    await resendConflicts(work, () => ask([work], 'writeUnits', (options) => work.store.client.send(command, options)));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
