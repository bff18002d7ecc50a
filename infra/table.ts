import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type GrantOnPrincipalOptions, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { tableDefinition } from '../lib/store/client/definition.ts';
import type { StackSettings } from './settings.ts';

export type GrantConditions = NonNullable<GrantOnPrincipalOptions['conditions']>;

/** The parts of the table that the rest of the stack uses. */
export interface StoreTable {
  readonly tableName: string;
  /** The stream of the keys of written items; undefined for an existing table, whose stream is not known. */
  readonly streamArn?: string | undefined;
  /** Grants actions on the table and its index, and on the key of the table if it has one. CDK's own method includes all indexes, even future ones. */
  grant(grantee: IGrantable, actions: readonly string[], conditions?: GrantConditions): void;
}

/**
 * Returns the one table: the existing one that the settings name, or a new one. A new table outlives the stack and is protected
 * against deletion, unless the stack is ephemeral.
 */
export function addTable(
  scope: Construct,
  {
    ephemeral,
    tableName,
    encryptionKeyArn,
    maxReadUnits,
    maxWriteUnits,
  }: Pick<StackSettings, 'ephemeral' | 'tableName' | 'encryptionKeyArn' | 'maxReadUnits' | 'maxWriteUnits'>,
): StoreTable {
  const grantKey = keyGranterOf(scope, encryptionKeyArn);
  if (tableName !== undefined) return storeTableOf(Table.fromTableName(scope, 'RestoredTable', tableName), grantKey);
  const { partitionKey, sortKey, timeToLive, eventLog } = tableDefinition;
  const table = new Table(scope, 'Table', {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
    timeToLiveAttribute: timeToLive,
    // The load of an administration API comes in bursts, with long pauses.
    billingMode: BillingMode.PAY_PER_REQUEST,
    // Without these limits, callers could cause costs up to the quota of the account.
    maxReadRequestUnits: maxReadUnits,
    maxWriteRequestUnits: maxWriteUnits,
    ...(encryptionKeyArn === undefined
      ? { encryption: TableEncryption.AWS_MANAGED }
      : {
          encryption: TableEncryption.CUSTOMER_MANAGED,
          encryptionKey: Key.fromKeyArn(scope, 'EncryptionKey', encryptionKeyArn),
        }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: !ephemeral,
    removalPolicy: removalPolicyFor(ephemeral),
    // The stream only announces changes; the function reads the items from the table. A stream that Lambda reads is free.
    stream: StreamViewType.KEYS_ONLY,
  });
  table.addGlobalSecondaryIndex({
    indexName: eventLog.name,
    partitionKey: { name: eventLog.partitionKey, type: AttributeType.STRING },
    sortKey: { name: eventLog.sortKey, type: AttributeType.STRING },
    projectionType: ProjectionType.INCLUDE,
    nonKeyAttributes: [...eventLog.attributes],
    maxReadRequestUnits: maxReadUnits,
    maxWriteRequestUnits: maxWriteUnits,
  });
  return storeTableOf(table, grantKey);
}

/** The actions on a key that the store calls with the rights of those who read items, and of those who write them. */
const keyActionsOfReaders = ['kms:Decrypt', 'kms:DescribeKey'];
const keyActionsOfWriters = [
  ...keyActionsOfReaders,
  ...['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
];
const changesItems = (action: string) => /:(Delete|Put|Update)Item$/.test(action);

type GrantKey = (grantee: IGrantable, actions: readonly string[]) => void;

/**
 * Returns a function that lets a role use the key of the table for these actions on the table. DynamoDB uses the key with the rights of its
 * callers, and the condition lets nobody else use it.
 */
function keyGranterOf(scope: Construct, keyArn: string | undefined): GrantKey {
  if (keyArn === undefined) return () => {};
  const { region, urlSuffix } = Stack.of(scope);
  return (grantee, actions) =>
    Grant.addToPrincipal({
      grantee,
      actions: actions.some(changesItems) ? keyActionsOfWriters : keyActionsOfReaders,
      resourceArns: [keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.${urlSuffix}` } },
    });
}

function storeTableOf(
  {
    tableName,
    tableArn,
    tableStreamArn,
  }: Pick<ITable, 'tableName' | 'tableArn'> & { readonly tableStreamArn?: string | undefined },
  grantKey: GrantKey,
): StoreTable {
  const resourceArns = [tableArn, `${tableArn}/index/${tableDefinition.eventLog.name}`];
  return {
    tableName,
    streamArn: tableStreamArn,
    grant(grantee, actions, conditions = {}) {
      Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns, conditions });
      grantKey(grantee, actions);
    },
  };
}

/**
 * Returns the removal policy of data: they outlive their stack. Only a first deployment that fails deletes them, when nothing has
 * been stored yet.
 */
export function removalPolicyFor(ephemeral: boolean): RemovalPolicy {
  return ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
}
