import type { ArnTarget, ServiceRights } from './rights-by-type.ts';

/** The values of a deployment that the rights of its functions depend on. */
export interface BoundaryProps {
  /** The beginning of the names of the resources. */
  readonly prefix: string;
  /** A table with another name, such as a restored one. */
  readonly tableName: string | undefined;
  readonly smtpParameter: string | undefined;
  readonly encryptionKeyArn: string | undefined;
}

/** Returns the most that any function of the stack may do, whatever rights the stack gives to its role. */
export function boundaryRights({ prefix, tableName, smtpParameter }: BoundaryProps): ServiceRights[] {
  const tables = [`${prefix}*`, ...(tableName === undefined ? [] : [tableName])];
  const onTables = tables.flatMap((table): ArnTarget[] => [
    { service: 'dynamodb', name: `table/${table}` },
    { service: 'dynamodb', name: `table/${table}/*` },
  ]);
  return [
    {
      actions: [
        ...['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'],
        // A deployment protects a restored table.
        ...['DescribeContinuousBackups', 'DescribeTable', 'DescribeTimeToLive'],
        ...['UpdateContinuousBackups', 'UpdateTable', 'UpdateTimeToLive'],
      ].map((action) => `dynamodb:${action}`),
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
    ...(smtpParameter === undefined
      ? []
      : [
          {
            actions: ['ssm:GetParameter'],
            on: [{ service: 'ssm', name: `parameter${smtpParameter}` }],
          },
        ]),
    {
      actions: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map(
        (action) => `kms:${action}`,
      ),
      on: [{ service: 'kms', name: 'key/*' }],
      // The table and the parameter are limited above, and a key is used for nothing else.
      conditions: { StringLike: { 'kms:ViaService': ['dynamodb.*', 'ssm.*'] } },
    },
  ];
}
