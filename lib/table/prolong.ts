import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { ask } from './ask.ts';
import { updateItem } from './commands.ts';
import type { Key } from './definition.ts';
import type { Table } from './table.ts';
import { resendConflicts } from './transact.ts';

/** Moves the end of an item, apart from any transaction. One that has no end, or is gone, is left alone. */
export async function prolong(table: Table, key: Key, expiresAtSeconds: number): Promise<void> {
  const command = updateItem({
    TableName: table.name,
    Key: key,
    UpdateExpression: 'SET #end = :end',
    ConditionExpression: 'attribute_exists(#end)',
    ExpressionAttributeNames: { '#end': 'expiresAtSeconds' },
    ExpressionAttributeValues: { ':end': expiresAtSeconds },
    ReturnConsumedCapacity: 'TOTAL',
  });
  try {
    await resendConflicts(table, () => ask([table], 'writeUnits', (options) => table.client.send(command, options)));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
