import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { ask } from '../client/ask.ts';
import { updateItem } from '../client/commands.ts';
import type { Key } from '../client/definition.ts';
import type { Work } from '../work.ts';
import { resendConflicts } from './transact.ts';

/**
 * Claims what can be claimed once in a time, outside of any transaction. Of those who try at the same moment one succeeds.
 * @param seconds how long nobody can claim it again.
 * @returns whether it was free.
 */
export async function claim(work: Work, key: Key, seconds: number): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000);
  const command = updateItem({
    TableName: work.store.name,
    Key: key,
    UpdateExpression: 'SET #end = :end, #holder = :holder',
    // A request whose answer was lost is repeated by the SDK, and finds what it has claimed itself.
    ConditionExpression: 'attribute_not_exists(#end) OR #end <= :now OR #holder = :holder',
    ExpressionAttributeNames: { '#end': 'expiresAtSeconds', '#holder': 'holder' },
    ExpressionAttributeValues: { ':end': now + seconds, ':now': now, ':holder': randomUUID() },
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    await resendConflicts(work, () => ask([work], 'writeUnits', (options) => work.store.client.send(command, options)));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
