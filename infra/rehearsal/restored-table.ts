import { tableDefinition } from '../../lib/store/client/definition.ts';
import { callEmulated, dynamoDb } from './emulated.ts';
import { RehearsalProblem } from './problem.ts';

/** Makes a backup of a table, as AWS does by itself when a table with point-in-time recovery is deleted. */
export async function backUpTable(endpoint: string, TableName: string): Promise<string> {
  const { BackupDetails } = (await callEmulated(endpoint, dynamoDb, 'CreateBackup', {
    TableName,
    BackupName: 'rehearsal',
  })) as { BackupDetails: { BackupArn: string } };
  return BackupDetails.BackupArn;
}

/**
 * Makes a table of a backup, as `aws dynamodb restore-table-from-backup` does: it has the items and the keys, and neither
 * expiry, point-in-time recovery nor protection.
 */
export async function restoreTable(endpoint: string, BackupArn: string, TargetTableName: string): Promise<void> {
  await callEmulated(endpoint, dynamoDb, 'RestoreTableFromBackup', { BackupArn, TargetTableName });
}

/** Gives a restored table what it lacks, by the calls that infra/README.md names. */
export async function protectTable(endpoint: string, TableName: string): Promise<void> {
  const ask = (action: string, input: object) => callEmulated(endpoint, dynamoDb, action, { TableName, ...input });
  await ask('UpdateTimeToLive', {
    TimeToLiveSpecification: { Enabled: true, AttributeName: tableDefinition.timeToLive },
  });
  await ask('UpdateContinuousBackups', {
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  await ask('UpdateTable', { OnDemandThroughput: { MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 10_000 } });
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
