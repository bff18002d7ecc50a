import { CustomResource, Duration, type NestedStack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { lastMigration } from '../lib/migrations/migrate.ts';
import { codeOf } from './endpoint-function.ts';
import { prepareStoreFunction } from './entry-points.ts';
import type { PreparationProperties } from './functions/prepare-store.ts';
import { createLogGroup } from './log-group.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

export interface PreparedStoreProps {
  readonly table: StoreTable;
  /** The directory in which each function's bundle has one of its own, named after the function. */
  readonly bundles: string;
  /** The stacks of all functions. */
  readonly after: readonly NestedStack[];
  readonly settings: Pick<
    StackSettings,
    'architecture' | 'ephemeral' | 'logRetention' | 'tableName' | 'maxReadUnits' | 'maxWriteUnits'
  >;
}

/**
 * The actions that it takes to see what is missing and to add it, and to migrate what an older release wrote; nothing
 * is removed.
 */
const contentActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];
/** The actions that it takes to give a restored table the protection that CloudFormation gives the stack's own. */
const adoptionActions = [
  'dynamodb:DescribeContinuousBackups',
  'dynamodb:DescribeTable',
  'dynamodb:DescribeTimeToLive',
  'dynamodb:UpdateContinuousBackups',
  'dynamodb:UpdateTable',
  'dynamodb:UpdateTimeToLive',
];

/** Gives the table what every store holds, and a table that was restored its protection, while the stack is deployed. */
export class PreparedStore extends Construct {
  constructor(scope: Construct, id: string, { table, bundles, after, settings }: PreparedStoreProps) {
    super(scope, id);
    const isRestored = settings.tableName !== undefined;
    const logGroup = createLogGroup(this, 'Logs', settings);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    table.grant(role, [...contentActions, ...(isRestored ? adoptionActions : [])]);

    const preparing = new LambdaFunction(this, 'Function', {
      description: 'Prepares the table during a deployment: its first data, and what a new version adds.',
      ...codeOf(bundles, prepareStoreFunction, settings),
      role,
      logGroup,
      environment: { TABLE_NAME: table.tableName },
      // A few seconds more are no matter when deploying.
      memorySize: 512,
      // The longest that a function may run, for a migration of many features; the next deployment continues it.
      timeout: Duration.minutes(15),
    });

    // The resource changes, and the function runs again, only when one of these is another than before, so nothing that
    // changes by itself may be here.
    const properties: PreparationProperties = {
      TableName: table.tableName,
      // A deployment that brings another migration runs it.
      Migrations: String(lastMigration),
      ...(isRestored && {
        DeletionProtection: String(!settings.ephemeral),
        MaxReadUnits: String(settings.maxReadUnits),
        MaxWriteUnits: String(settings.maxWriteUnits),
      }),
    };
    const prepared = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::PreparedStore',
      serviceToken: preparing.functionArn,
      // Longer than the function takes, and than Lambda takes to call it again; without it, CloudFormation waits an hour.
      serviceTimeout: Duration.minutes(20),
      properties: { ...properties },
    });
    // This release reads what earlier ones wrote, but not the other way round: all functions are of this release before
    // the data are migrated.
    prepared.node.addDependency(...after);
  }
}
