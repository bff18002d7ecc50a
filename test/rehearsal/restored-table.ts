import { tableDefinition } from '../../lib/store/client/definition.ts';
import { callEmulated, dynamoDb } from './emulated.ts';
import { RehearsalProblem } from './processes.ts';

/** Backs up a table, as AWS does when a table with point-in-time recovery is deleted. @returns the ARN of the backup. */
export async function backUpTable(endpoint: string, TableName: string): Promise<string> {
  const { BackupDetails } = (await callEmulated(endpoint, dynamoDb, 'CreateBackup', {
    TableName,
    BackupName: 'rehearsal',
  })) as { BackupDetails: { BackupArn: string } };
  return BackupDetails.BackupArn;
}

/**
 * Restores a backup to a new table, as `aws dynamodb restore-table-from-backup` does. The new table has the items and keys, but
 * no time to live, no point-in-time recovery and no deletion protection.
 */
export async function restoreTable(endpoint: string, BackupArn: string, TargetTableName: string): Promise<void> {
  await callEmulated(endpoint, dynamoDb, 'RestoreTableFromBackup', { BackupArn, TargetTableName });
}

/** Sets the properties that a restored table lacks, with the calls that infra/README.md lists. */
export async function protectTable(endpoint: string, TableName: string): Promise<void> {
  const send = (action: string, input: object) => callEmulated(endpoint, dynamoDb, action, { TableName, ...input });
  await send('UpdateTimeToLive', {
    TimeToLiveSpecification: { Enabled: true, AttributeName: tableDefinition.timeToLive },
  });
  await send('UpdateContinuousBackups', {
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  await send('UpdateTable', { OnDemandThroughput: { MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 10_000 } });
}

/** @throws RehearsalProblem if a table lacks a property that the stack sets on the tables that it creates. */
export async function assertProtected(endpoint: string, TableName: string): Promise<void> {
  const send = (action: string) => callEmulated(endpoint, dynamoDb, action, { TableName });
  const description = JSON.stringify([
    await send('DescribeTable'),
    await send('DescribeTimeToLive'),
    await send('DescribeContinuousBackups'),
  ]);
  for (const property of [
    '"MaxReadRequestUnits":10000',
    '"TimeToLiveStatus":"ENABLED"',
    '"PointInTimeRecoveryStatus":"ENABLED"',
  ]) {
    if (!description.includes(property)) {
      throw new RehearsalProblem(`The restored table lacks ${property}: ${description}`);
    }
  }
}

/** Deletes a table. It has no deletion protection, since the stack is ephemeral. */
export async function removeTable(endpoint: string, TableName: string): Promise<void> {
  await callEmulated(endpoint, dynamoDb, 'DeleteTable', { TableName });
}
