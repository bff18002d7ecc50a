import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { ask } from './client/ask.ts';
import { updateItem } from './client/commands.ts';
import type { Key } from './client/definition.ts';
import { resendConflicts } from './transactions/transact.ts';
import type { Work } from './work.ts';

/** The count of something in a window of time, and the end of the window, in seconds since 1970. */
export interface Count {
  readonly count: number;
  readonly expiresAtSeconds: number;
}

/**
 * Counts something in a window of time that begins with the first of them, and says how many they are with this one. Each
 * of those who count at the same moment gets a number of their own.
 */
export async function countInWindow(work: Work, key: Key, amount: number, windowSeconds: number): Promise<Count> {
  const now = Math.floor(Date.now() / 1000);
  const values = { ':amount': amount, ':now': now, ':end': now + windowSeconds };
  const update = (UpdateExpression: string, ConditionExpression: string) =>
    resendConflicts({}, async () => {
      const command = updateItem({
        TableName: work.store.name,
        Key: key,
        UpdateExpression,
        ConditionExpression,
        ExpressionAttributeNames: { '#count': 'count', '#end': 'expiresAtSeconds' },
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_NEW',
        ReturnConsumedCapacity: 'TOTAL',
      });
      const { Attributes } = await ask([work], 'writeUnits', (options) => work.store.client.send(command, options));
      return { count: Number(Attributes?.count), expiresAtSeconds: Number(Attributes?.expiresAtSeconds) };
    });
  const countOn = () =>
    update('ADD #count :amount SET #end = if_not_exists(#end, :end)', 'attribute_not_exists(#end) OR #end > :now');
  try {
    return await countOn();
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  try {
    // The store takes its time to clear away what has expired.
    return await update('SET #count = :amount, #end = :end', '#end <= :now');
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return countOn();
  }
}
