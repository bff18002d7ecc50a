import { BootstraplessSynthesizer, CfnOutput, Duration, type IStackSynthesizer, Stack } from 'aws-cdk-lib';
import {
  CfnOIDCProvider,
  ManagedPolicy,
  OpenIdConnectPrincipal,
  OpenIdConnectProvider,
  PolicyStatement,
  Role,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { boundaryRights, keyUses } from './boundary.ts';
import type { DeploymentSettings } from './deployment-settings.ts';
import { type ArnTarget, nameActions, rightsByType, type ServiceRights } from './rights-by-type.ts';

const issuer = 'token.actions.githubusercontent.com';

/** CloudFormation may shorten the names of resources, but keeps at least this much of the name of the stack at their beginning. */
const prefixLengthMax = 20;

/**
 * Lets GitHub deploy the service: a role for one repository and one environment or branch, the rights of CloudFormation, and the
 * boundary of the roles that CloudFormation creates. An administrator deploys this stack. Its name, and the names of its resources, do
 * not begin with the name of the service's stack, so that deployments of the service cannot change them.
 */
export class DeploymentStack extends Stack {
  constructor(scope: Construct, settings: DeploymentSettings) {
    super(scope, `Deployment-of-${settings.stackName}`, {
      description: `Lets GitHub deploy the stack ${settings.stackName}`,
      // An administrator may deploy this stack before the account is bootstrapped.
      synthesizer: new BootstraplessSynthesizer() as IStackSynthesizer,
    });
    const { stackName, qualifier } = settings;
    const prefix = `${stackName}-`.slice(0, prefixLengthMax);
    const boundary = new ManagedPolicy(this, 'Boundary', {
      description: `The most that functions of the stack ${stackName} may do`,
      statements: [
        ...boundaryRights({ ...settings, prefix }).map((rights) => this.#statementOf(rights)),
        ...signStatements(settings),
      ],
    });
    new CfnOutput(this, 'PermissionsBoundary', { value: boundary.managedPolicyName });

    const { account, region, partition } = this;
    const boundaryArn = boundary.managedPolicyArn;
    const rights = rightsByType({ prefix, qualifier, account, region, partition, boundaryArn });
    const policies = this.#createExecutionPolicies(rights, settings);
    new CfnOutput(this, 'ExecutionPolicies', {
      value: policies.map(({ managedPolicyArn }) => managedPolicyArn).join(','),
    });

    const role = this.#createRole(settings);
    new CfnOutput(this, 'RoleArn', { value: role.roleArn });
  }

  /** A managed policy has at most 6,144 characters, so the rights are in two: those on code and roles, and all others. */
  #createExecutionPolicies(rights: ReturnType<typeof rightsByType>, settings: DeploymentSettings): ManagedPolicy[] {
    const ofCode = /^AWS::(IAM|Lambda)::|^Custom::/;
    const statementsOf = (isOfCode: boolean) =>
      Object.entries(rights)
        .filter(([type]) => ofCode.test(type) === isOfCode)
        .flatMap(([, ofType]) => ofType.map((right) => this.#statementOf(right)));
    const description = `What CloudFormation may do to deploy the stack ${settings.stackName}`;
    return [
      new ManagedPolicy(this, 'ExecutionCode', { description, statements: statementsOf(true) }),
      new ManagedPolicy(this, 'ExecutionData', {
        description,
        statements: [...statementsOf(false), ...keyStatements(settings)],
      }),
    ];
  }

  #createRole({ stackName, repository, subject, createsProvider, qualifier }: DeploymentSettings): Role {
    const url = `https://${issuer}`;
    const arn = createsProvider
      ? new CfnOIDCProvider(this, 'Provider', { url, clientIdList: ['sts.amazonaws.com'] }).attrArn
      : this.formatArn({ service: 'iam', region: '', resource: 'oidc-provider', resourceName: issuer });
    const provider = OpenIdConnectProvider.fromOpenIdConnectProviderArn(this, 'ProviderArn', arn);
    const role = new Role(this, 'Role', {
      description: `Deploys for ${repository}`,
      maxSessionDuration: Duration.hours(1),
      assumedBy: new OpenIdConnectPrincipal(provider, {
        StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: `repo:${repository}:${subject}` },
      }),
    });
    // Not the role `lookup`: it may read all data of the account. Without it the CDK reads templates with this role.
    role.addToPolicy(
      new PolicyStatement({
        actions: nameActions('cloudformation', 'DescribeStackResources DescribeStacks GetTemplate ListStackResources'),
        resources: [stackName, `${stackName}-*`].map((name) =>
          this.formatArn({ service: 'cloudformation', resource: 'stack', resourceName: `${name}/*` }),
        ),
      }),
    );
    const roleArnOf = (kind: string) =>
      this.#arnOf({
        service: 'iam',
        name: `role/cdk-${qualifier}-${kind}-role-${this.account}-${this.region}`,
        without: 'region',
      });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: ['deploy', 'file-publishing'].map(roleArnOf),
      }),
    );
    return role;
  }

  #statementOf({ actions, on, conditions }: ServiceRights): PolicyStatement {
    return new PolicyStatement({
      actions: [...actions],
      resources: on.map((target) => this.#arnOf(target)),
      ...(conditions && { conditions }),
    });
  }

  #arnOf(target: ArnTarget): string {
    if (target === '*') return '*';
    const { service, name, without } = target;
    const region = without === 'region' || without === 'both' ? '' : this.region;
    const account = without === 'account' || without === 'both' ? '' : this.account;
    return `arn:${this.partition}:${service}:${region}:${account}:${name}`;
  }
}

/** The right to sign checkpoints of the history. */
function signStatements({ checkpointKeyArn }: DeploymentSettings): PolicyStatement[] {
  if (checkpointKeyArn === undefined) return [];
  return [new PolicyStatement({ actions: ['kms:GetPublicKey', 'kms:Sign'], resources: [checkpointKeyArn] })];
}

/** The rights that DynamoDB needs to create a table with a key of the account. */
function keyStatements({ encryptionKeyArn }: DeploymentSettings): PolicyStatement[] {
  if (encryptionKeyArn === undefined) return [];
  return [
    new PolicyStatement({
      actions: [...nameActions('kms', 'CreateGrant'), ...keyUses],
      resources: [encryptionKeyArn],
      conditions: { StringLike: { 'kms:ViaService': 'dynamodb.*' } },
    }),
  ];
}
