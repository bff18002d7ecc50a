import { join } from 'node:path';
import { CfnOutput, CustomResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { handlerName } from './bundle.ts';
import { architectureOf } from './endpoint-function.ts';
import { prepareStore } from './entry-points.ts';
import { createLogGroup } from './log-group.ts';
import type { Settings } from './settings.ts';

export interface FirstTokenProps {
  readonly table: Table;
  /** The directory in which each function's bundle has one of its own, named after the function. */
  readonly bundles: string;
  readonly settings: Pick<Settings, 'architecture' | 'ephemeral' | 'logRetention'>;
}

/** What it takes to see what is missing and to add it; nothing is removed. */
const tableActions = ['dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'];

/** All that is neither a letter nor a digit. Not everything that takes a template knows `excludePunctuation`. */
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** The first content of the table, and its first admin token, whose random part is kept in a secret. */
export class FirstToken extends Construct {
  constructor(scope: Construct, id: string, { table, bundles, settings }: FirstTokenProps) {
    super(scope, id);
    // It is encrypted with the account's own key for secrets, and has no fixed name, which would be in the way of a
    // second stack, and of this one when it is made anew while the secret of before is still kept.
    const secret = new Secret(this, 'Secret', {
      description: 'The random part of the first admin token, which is "*:*." and this.',
      // 40 letters and digits are 238 bits.
      generateSecretString: { passwordLength: 40, excludePunctuation: true, excludeCharacters: punctuation },
      // It goes when the table goes, whose token it holds.
      removalPolicy: settings.ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Clients hold the token, so only whoever runs them can change it: the README says how, in two commands.',
    });

    const logGroup = createLogGroup(this, 'Logs', settings);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    table.grant(role, ...tableActions);
    role.addToPolicy(
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
    );

    const preparing = new LambdaFunction(this, 'Function', {
      description: 'Gives the table its first content and its first admin token, when deploying.',
      code: Code.fromAsset(join(bundles, prepareStore)),
      handler: handlerName,
      runtime: Runtime.NODEJS_24_X,
      architecture: architectureOf(settings),
      role,
      logGroup,
      environment: { TABLE_NAME: table.tableName, FIRST_TOKEN_SECRET: secret.secretArn },
      // It runs once in a table's life, and a few seconds more are no matter then.
      memorySize: 512,
      timeout: Duration.minutes(2),
    });

    new CustomResource(this, 'PreparedStore', {
      resourceType: 'Custom::PreparedStore',
      serviceToken: preparing.functionArn,
      // Longer than the function takes, and than Lambda takes to call it again; without it, CloudFormation waits an hour.
      serviceTimeout: Duration.minutes(5),
      // It runs again only when one of these is another than before, so nothing that changes by itself may be here.
      properties: { TableName: table.tableName, SecretArn: secret.secretArn },
    });

    new CfnOutput(Stack.of(this), 'FirstTokenSecret', {
      description: 'The secret that holds the random part of the first admin token',
      value: secret.secretArn,
    });
  }
}
