import { RemovalPolicy } from 'aws-cdk-lib';
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
import type { Construct } from 'constructs';
import { tableDefinition } from '../lib/store/client/definition.ts';
import type { StackSettings } from './settings.ts';

export type GrantConditions = NonNullable<GrantOnPrincipalOptions['conditions']>;

/** The parts of the table that the rest of the stack uses. */
export interface StoreTable {
  readonly tableName: string;
  /** The stream of the keys of written items; undefined for an existing table, whose stream is not known. */
  readonly streamArn?: string | undefined;
  /** Grants actions on the table and its index, and on nothing else. CDK's own method includes all indexes, even future ones. */
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
    maxReadUnits,
    maxWriteUnits,
  }: Pick<StackSettings, 'ephemeral' | 'tableName' | 'maxReadUnits' | 'maxWriteUnits'>,
): StoreTable {
  if (tableName !== undefined) return storeTableOf(Table.fromTableName(scope, 'RestoredTable', tableName));
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
    encryption: TableEncryption.AWS_MANAGED,
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
  return storeTableOf(table);
}

function storeTableOf({
  tableName,
  tableArn,
  tableStreamArn,
}: Pick<ITable, 'tableName' | 'tableArn'> & { readonly tableStreamArn?: string | undefined }): StoreTable {
  const resourceArns = [tableArn, `${tableArn}/index/${tableDefinition.eventLog.name}`];
  return {
    tableName,
    streamArn: tableStreamArn,
    grant: (grantee, actions, conditions = {}) =>
      Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns, conditions }),
  };
}

/**
 * Returns the removal policy of data: they outlive their stack. Only a first deployment that fails deletes them, when nothing has
 * been stored yet.
 */
export function removalPolicyFor(ephemeral: boolean): RemovalPolicy {
  return ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
}
