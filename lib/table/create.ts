import { CreateTableCommand, ResourceInUseException, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import { tableDefinition } from './keys.ts';
import type { Table } from './table.ts';

/** Creates the table where it is missing; the stack declares the same one for AWS. */
export async function createTable(table: Table): Promise<void> {
  const { partitionKey, sortKey } = tableDefinition;
  try {
    await table.client.send(
      new CreateTableCommand({
        TableName: table.name,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [
          { AttributeName: partitionKey, KeyType: 'HASH' },
          { AttributeName: sortKey, KeyType: 'RANGE' },
        ],
        AttributeDefinitions: [
          { AttributeName: partitionKey, AttributeType: 'S' },
          { AttributeName: sortKey, AttributeType: 'S' },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client: table.client, maxWaitTime: 30 }, { TableName: table.name });
}
