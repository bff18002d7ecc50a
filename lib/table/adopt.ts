import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  type UpdateTableInput,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { addIndex } from './create.ts';
import { tableDefinition } from './definition.ts';
import type { Table } from './table.ts';

export interface Protection {
  readonly deletionProtection: boolean;
  /** In a second. */
  readonly maxReadUnits: number;
  readonly maxWriteUnits: number;
}

/**
 * Gives a table that was restored from a backup what a restored one lacks: expiry, point-in-time recovery, protection
 * from deletion, and maxima; of an older release, the index as well. What it has already is left alone.
 * @throws Error when there is no such table, or when its keys are not ours.
 */
export async function adoptTable(table: Table, protection: Protection): Promise<void> {
  await assertKeys(table);
  await expireItems(table);
  await recordBackups(table);
  await protect(table, protection);
  await addIndex(table);
}

async function describe({ client, name }: Table) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
  return Table ?? {};
}

async function assertKeys(table: Table): Promise<void> {
  const { KeySchema = [] } = await describe(table);
  const keys = KeySchema.map(({ AttributeName }) => AttributeName).join(', ');
  const { partitionKey, sortKey } = tableDefinition;
  const wanted = `${partitionKey}, ${sortKey}`;
  if (keys !== wanted) throw new Error(`The table ${table.name} has the keys ${keys}, not ${wanted}.`);
}

async function expireItems({ client, name: TableName }: Table): Promise<void> {
  const { TimeToLiveDescription: found } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (['ENABLED', 'ENABLING'].includes(found?.TimeToLiveStatus ?? '')) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLive };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

async function recordBackups({ client, name: TableName }: Table): Promise<void> {
  const { ContinuousBackupsDescription: found } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  if (found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED') return;
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
}

async function protect(table: Table, { deletionProtection, maxReadUnits, maxWriteUnits }: Protection): Promise<void> {
  const { DeletionProtectionEnabled = false, OnDemandThroughput: found } = await describe(table);
  if (found?.MaxReadRequestUnits !== maxReadUnits || found.MaxWriteRequestUnits !== maxWriteUnits) {
    const OnDemandThroughput = { MaxReadRequestUnits: maxReadUnits, MaxWriteRequestUnits: maxWriteUnits };
    await update(table, { OnDemandThroughput });
  }
  if (DeletionProtectionEnabled !== deletionProtection) {
    await update(table, { DeletionProtectionEnabled: deletionProtection });
  }
}

/** A table serves while it changes, but takes no other change. */
async function update({ client, name: TableName }: Table, change: Omit<UpdateTableInput, 'TableName'>): Promise<void> {
  await client.send(new UpdateTableCommand({ TableName, ...change }));
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName });
}
