import { callEmulated, dynamoDb } from './emulated.ts';
import { RehearsalProblem } from './problem.ts';

/**
 * Makes a second table of a backup of the first, as `aws dynamodb restore-table-from-backup` does: it has the items and
 * the keys, and neither expiry, point-in-time recovery nor protection.
 */
export async function restoreTable(endpoint: string, TableName: string, TargetTableName: string): Promise<void> {
  const { BackupDetails } = (await callEmulated(endpoint, dynamoDb, 'CreateBackup', {
    TableName,
    BackupName: 'rehearsal',
  })) as { BackupDetails: { BackupArn: string } };
  const { BackupArn } = BackupDetails;
  await callEmulated(endpoint, dynamoDb, 'RestoreTableFromBackup', { BackupArn, TargetTableName });
}

/** @throws RehearsalProblem when a table lacks something that the stack gives a table of its own. */
export async function assertProtected(endpoint: string, TableName: string): Promise<void> {
  const ask = (action: string) => callEmulated(endpoint, dynamoDb, action, { TableName });
  const found = JSON.stringify([
    await ask('DescribeTable'),
    await ask('DescribeTimeToLive'),
    await ask('DescribeContinuousBackups'),
  ]);
  for (const wanted of [
    '"MaxReadRequestUnits":10000',
    '"TimeToLiveStatus":"ENABLED"',
    '"PointInTimeRecoveryStatus":"ENABLED"',
  ]) {
    if (!found.includes(wanted)) throw new RehearsalProblem(`The restored table lacks ${wanted}: ${found}`);
  }
}

/** Deletes a table, which is not protected where the stack is ephemeral. */
export async function removeTable(endpoint: string, TableName: string): Promise<void> {
  await callEmulated(endpoint, dynamoDb, 'DeleteTable', { TableName });
}
