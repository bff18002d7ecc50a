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

/** Creates the table where it is missing; the stack declares the same for AWS. */
export async function createTable(work: Work): Promise<void> {
  try {
    await work.store.client.send('CreateTable', requestFor(work.store.name));
  } catch (error) {
    if (!isException(error, 'ResourceInUseException')) throw error;
  }
  await awaitActive(work);
}

/** Returns the request that creates a table of that name. @internal */
export function requestFor(TableName: string): CreateTableInput {
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
  /** In a second. */
  readonly maxReadUnits: number;
  readonly maxWriteUnits: number;
}

/**
 * Gives a table that was restored from a backup what a restored one lacks: expiry, point-in-time recovery, protection
 * from deletion, and maxima. What it has already is left alone.
 * @throws Error when there is no such table, or when its keys are not ours.
 */
export async function adoptTable(work: Work, protection: Protection): Promise<void> {
  await assertKeys(work);
  await expireItems(work);
  await recordBackups(work);
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
  const wanted = `${partitionKey}, ${sortKey}`;
  if (keys !== wanted) throw new Error(`The table ${work.store.name} has the keys ${keys}, not ${wanted}.`);
}

async function expireItems({ store: { client, name: TableName } }: Work): Promise<void> {
  const { TimeToLiveDescription: found } = await client.send('DescribeTimeToLive', { TableName });
  if (['ENABLED', 'ENABLING'].includes(found?.TimeToLiveStatus ?? '')) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLive };
  await client.send('UpdateTimeToLive', { TableName, TimeToLiveSpecification });
}

async function recordBackups({ store: { client, name: TableName } }: Work): Promise<void> {
  const { ContinuousBackupsDescription: found } = await client.send('DescribeContinuousBackups', { TableName });
  if (found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED') return;
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send('UpdateContinuousBackups', { TableName, PointInTimeRecoverySpecification });
}

async function protect(work: Work, { deletionProtection, maxReadUnits, maxWriteUnits }: Protection): Promise<void> {
  const { DeletionProtectionEnabled = false, OnDemandThroughput: found } = await describe(work);
  if (found?.MaxReadRequestUnits !== maxReadUnits || found.MaxWriteRequestUnits !== maxWriteUnits) {
    const OnDemandThroughput = { MaxReadRequestUnits: maxReadUnits, MaxWriteRequestUnits: maxWriteUnits };
    await update(work, { OnDemandThroughput });
  }
  if (DeletionProtectionEnabled !== deletionProtection) {
    await update(work, { DeletionProtectionEnabled: deletionProtection });
  }
}

/** A table serves while it changes, but takes no other change. */
async function update(work: Work, change: Omit<UpdateTableInput, 'TableName'>): Promise<void> {
  const { client, name } = work.store;
  await client.send('UpdateTable', { TableName: name, ...change });
  await awaitActive(work);
}

/** Time in which AWS creates or changes a table. */
const patienceMs = 60_000;

/**
 * Waits until the table exists, and takes further changes.
 * @throws Error where it does not within a minute.
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
