import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AttributeDefinition,
  CreateTableInput,
  GlobalSecondaryIndex,
  UpdateTableInput,
} from '@aws-sdk/client-dynamodb';
import type { Work } from '../work.ts';
import { tableDefinition } from './definition.ts';
import { isException } from './exceptions.ts';

/** Creates the table if it is missing. The stack declares the same table for AWS. */
export async function createTable(work: Work): Promise<void> {
  try {
    await work.store.client.send('CreateTable', buildCreateTableInput(work.store.name));
  } catch (error) {
    if (!isException(error, 'ResourceInUseException')) throw error;
  }
  await awaitActive(work);
}

/** Returns the input of CreateTable. @internal */
export function buildCreateTableInput(TableName: string): CreateTableInput {
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

export interface Protection {
  readonly deletionProtection: boolean;
  /** Per second. */
  readonly maxReadUnits: number;
  readonly maxWriteUnits: number;
}

/**
 * Configures a table that AWS restored from a backup, which has no expiry, point-in-time recovery, deletion protection or throughput
 * limits. Existing settings that are equal are not written again.
 * @throws Error if the table is missing, or has other keys.
 */
export async function configureRestoredTable(work: Work, protection: Protection): Promise<void> {
  await assertKeys(work);
  await enableExpiry(work);
  await enableRecovery(work);
  await protect(work, protection);
}

async function describe({ store: { client, name } }: Work) {
  const { Table } = await client.send('DescribeTable', { TableName: name });
  return Table ?? {};
}

async function assertKeys(work: Work): Promise<void> {
  const { KeySchema = [] } = await describe(work);
  const keys = KeySchema.map(({ AttributeName }) => AttributeName).join(', ');
  const { partitionKey, sortKey } = tableDefinition;
  const expected = `${partitionKey}, ${sortKey}`;
  if (keys !== expected) throw new Error(`The table ${work.store.name} has the keys ${keys}, not ${expected}.`);
}

async function enableExpiry({ store: { client, name: TableName } }: Work): Promise<void> {
  const { TimeToLiveDescription: current } = await client.send('DescribeTimeToLive', { TableName });
  if (['ENABLED', 'ENABLING'].includes(current?.TimeToLiveStatus ?? '')) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLive };
  await client.send('UpdateTimeToLive', { TableName, TimeToLiveSpecification });
}

async function enableRecovery({ store: { client, name: TableName } }: Work): Promise<void> {
  const { ContinuousBackupsDescription: current } = await client.send('DescribeContinuousBackups', { TableName });
  if (current?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED') return;
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send('UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification });
}

async function protect(work: Work, { deletionProtection, maxReadUnits, maxWriteUnits }: Protection): Promise<void> {
  const { DeletionProtectionEnabled = false, OnDemandThroughput: current } = await describe(work);
  if (current?.MaxReadRequestUnits !== maxReadUnits || current.MaxWriteRequestUnits !== maxWriteUnits) {
    const OnDemandThroughput = { MaxReadRequestUnits: maxReadUnits, MaxWriteRequestUnits: maxWriteUnits };
    await update(work, { OnDemandThroughput });
  }
  if (DeletionProtectionEnabled !== deletionProtection) {
    await update(work, { DeletionProtectionEnabled: deletionProtection });
  }
}

/** Updates the table, and waits: a table serves requests during an update, but accepts no other update. */
async function update(work: Work, change: Omit<UpdateTableInput, 'TableName'>): Promise<void> {
  const { client, name } = work.store;
  await client.send('UpdateTable', { TableName: name, ...change });
  await awaitActive(work);
}

/** The time within which AWS creates or updates a table. */
const patienceMs = 60_000;

/**
 * Waits until the table exists and accepts updates.
 * @throws Error after a minute.
 */
async function awaitActive(work: Work): Promise<void> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const { TableStatus } = await describe(work).catch(ignoreMissing);
    if (TableStatus === 'ACTIVE') return;
    if (performance.now() > end) throw new Error(`The table ${work.store.name} is not ready after a minute.`);
    await sleep(1_000);
  }
}

function ignoreMissing(error: unknown) {
  if (isException(error, 'ResourceNotFoundException')) return {} as { TableStatus?: string };
  throw error;
}
