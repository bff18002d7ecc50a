import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  type GlobalSecondaryIndex,
  ResourceInUseException,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Work } from '../work.ts';
import { tableDefinition } from './definition.ts';

/** Creates the table where it is missing; the stack declares the same for AWS. */
export async function createTable(work: Work): Promise<void> {
  try {
    await work.store.client.send(new CreateTableCommand(requestFor(work.store.name)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await waitUntilTableExists({ client: work.store.client, maxWaitTime: 30 }, { TableName: work.store.name });
}

/** Returns the request that creates a table of that name. */
export function requestFor(TableName: string): CreateTableCommandInput {
  const { partitionKey, sortKey, eventLog } = tableDefinition;
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keySchema(partitionKey, sortKey),
    AttributeDefinitions: [partitionKey, sortKey, eventLog.partitionKey, eventLog.sortKey].map(textAttribute),
    GlobalSecondaryIndexes: [eventLogIndex],
  };
}

const keySchema = (partitionKey: string, sortKey: string): GlobalSecondaryIndex['KeySchema'] => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

const textAttribute = (AttributeName: string): AttributeDefinition => ({ AttributeName, AttributeType: 'S' });

const eventLogIndex: GlobalSecondaryIndex = {
  IndexName: tableDefinition.eventLog.name,
  KeySchema: keySchema(tableDefinition.eventLog.partitionKey, tableDefinition.eventLog.sortKey),
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...tableDefinition.eventLog.attributes] },
};
