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
import type { Work } from '../work.ts';
import { tableDefinition } from './definition.ts';

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
  const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
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
  const { TimeToLiveDescription: found } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (['ENABLED', 'ENABLING'].includes(found?.TimeToLiveStatus ?? '')) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLive };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

async function recordBackups({ store: { client, name: TableName } }: Work): Promise<void> {
  const { ContinuousBackupsDescription: found } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  if (found?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED') return;
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
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
async function update(
  { store: { client, name: TableName } }: Work,
  change: Omit<UpdateTableInput, 'TableName'>,
): Promise<void> {
  await client.send(new UpdateTableCommand({ TableName, ...change }));
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName });
}
