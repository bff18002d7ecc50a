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

/** The part of the table that the rest of the stack uses. */
export interface StoreTable {
  readonly tableName: string;
  /** The stream of the keys of what was written; undefined for a table that was not made here, whose stream is not known. */
  readonly streamArn?: string | undefined;
  /** Gives rights on the table and its index, and on nothing else: CDK's own way names all indexes there may ever be. */
  grant(grantee: IGrantable, actions: readonly string[], conditions?: GrantConditions): void;
}

/**
 * The one table: that which the settings name, or one of the stack's own, which outlives the stack and cannot be deleted
 * by mistake unless it is ephemeral.
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
  if (tableName !== undefined) return granting(Table.fromTableName(scope, 'RestoredTable', tableName));
  const { partitionKey, sortKey, timeToLive, eventLog } = tableDefinition;
  const table = new Table(scope, 'Table', {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    sortKey: { name: sortKey, type: AttributeType.STRING },
    timeToLiveAttribute: timeToLive,
    // The load of an administration API comes in bursts, with little between them.
    billingMode: BillingMode.PAY_PER_REQUEST,
    // Without them, callers could use, and make us pay for, all that the account may use in the region.
    maxReadRequestUnits: maxReadUnits,
    maxWriteRequestUnits: maxWriteUnits,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: !ephemeral,
    removalPolicy: keptUnless(ephemeral),
    // It announces what has changed; what is sent is read from the table. Streams that Lambda reads cost nothing.
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
  return granting(table);
}

function granting({
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
 * Returns the removal policy: data outlive their stack, except in a first deployment that fails, which has stored
 * nothing.
 */
export function keptUnless(ephemeral: boolean): RemovalPolicy {
  return ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;
}
