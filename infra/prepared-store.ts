import { CustomResource, Duration, type NestedStack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { lastMigration } from '../lib/migrations/migrate.ts';
import { codeOf } from './endpoint-function.ts';
import { prepareStoreFunction } from './entry-points.ts';
import type { PreparationProperties } from './functions/prepare-store.ts';
import { createLogGroup } from './logs.ts';
import type { StackSettings } from './settings.ts';
import type { StoreTable } from './table.ts';

export interface PreparedStoreProps {
  readonly table: StoreTable;
  /** The directory with the bundles: one directory for each function, with the function's name. */
  readonly bundles: string;
  /** The stacks of all functions. */
  readonly after: readonly NestedStack[];
  readonly settings: Pick<
    StackSettings,
    'architecture' | 'ephemeral' | 'logRetention' | 'tableName' | 'maxReadUnits' | 'maxWriteUnits'
  >;
}

/**
 * The actions that are needed to find and add missing data, and to migrate data of an older release. Nothing is deleted.
 */
const contentActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];
/** The actions that give a restored table the protection that CloudFormation gives a table of the stack. */
const adoptionActions = [
  'dynamodb:DescribeContinuousBackups',
  'dynamodb:DescribeTable',
  'dynamodb:DescribeTimeToLive',
  'dynamodb:UpdateContinuousBackups',
  'dynamodb:UpdateTable',
  'dynamodb:UpdateTimeToLive',
];

/** During a deployment, adds the initial data to the table, and gives a restored table its protection. */
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
      // A few seconds more do not matter during a deployment.
      memorySize: 512,
      // Lambda's maximum, for a migration of many features. The next deployment continues an unfinished migration.
      timeout: Duration.minutes(15),
    });

    // The function runs again if one of these properties changes, so none of them may change by itself.
    const properties: PreparationProperties = {
      TableName: table.tableName,
      // Runs a new migration.
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
      // Longer than the function and Lambda's retries take. Without it, CloudFormation waits for an hour.
      serviceTimeout: Duration.minutes(20),
      properties: { ...properties },
    });
    // This release reads the data of earlier ones, but earlier ones cannot read migrated data. So the data are migrated after all
    // functions have been updated.
    prepared.node.addDependency(...after);
  }
}
