import { bucketPrefix } from '../../lib/history/checkpoint-bucket.ts';
import { type ArnTarget, nameActions, type ServiceRights } from './rights-by-type.ts';

/** The parts of the boundary that differ between deployments. */
export interface BoundaryProps {
  /** The beginning of the names of the resources. */
  readonly prefix: string;
  /** The name of a table that the stack has not created, such as a restored one. */
  readonly tableName: string | undefined;
  readonly smtpParameter: string | undefined;
  readonly encryptionKeyArn: string | undefined;
}

/** The rights on a key that reading and writing encrypted data takes. */
export const keyUses = nameActions('kms', 'Decrypt DescribeKey Encrypt GenerateDataKey ReEncryptFrom ReEncryptTo');

/** Returns the most that any function of the stack may do, regardless of the rights that the stack gives to its role. */
export function boundaryRights({ prefix, tableName, smtpParameter }: BoundaryProps): ServiceRights[] {
  const tables = [`${prefix}*`, ...(tableName === undefined ? [] : [tableName])];
  const onTables = tables.flatMap((table): ArnTarget[] => [
    { service: 'dynamodb', name: `table/${table}` },
    { service: 'dynamodb', name: `table/${table}/*` },
  ]);
  return [
    {
      actions: nameActions(
        'dynamodb',
        'BatchGetItem ConditionCheckItem DeleteItem GetItem PutItem Query UpdateItem DescribeStream',
        'GetRecords GetShardIterator ListStreams',
        // A deployment protects a restored table.
        'DescribeContinuousBackups DescribeTable DescribeTimeToLive UpdateContinuousBackups UpdateTable',
        'UpdateTimeToLive',
      ),
      on: onTables,
    },
    {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      on: [{ service: 'logs', name: `log-group:${prefix}*` }],
    },
    {
      actions: ['events:DisableRule', 'events:EnableRule'],
      on: [{ service: 'events', name: `rule/${prefix}*` }],
    },
    { actions: ['events:PutEvents', 'ses:SendEmail'], on: ['*'] },
    {
      actions: ['s3:PutObject'],
      on: [{ service: 's3', name: `${prefix.toLowerCase()}*/${bucketPrefix}*`, without: 'both' }],
    },
    ...(smtpParameter === undefined
      ? []
      : [
          {
            actions: ['ssm:GetParameter'],
            on: [{ service: 'ssm', name: `parameter${smtpParameter}` }],
          },
        ]),
    {
      actions: keyUses,
      on: [{ service: 'kms', name: 'key/*' }],
      // The table and the parameter are limited above, and a key is used for nothing else.
      conditions: { StringLike: { 'kms:ViaService': ['dynamodb.*', 'ssm.*'] } },
    },
  ];
}
