/** Rights on some resources. */
export interface ServiceRights {
  readonly actions: readonly string[];
  readonly on: readonly ArnTarget[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The service and the last part of an ARN, and the parts that ARNs of this service lack; `*` for actions that take no resource. */
export type ArnTarget =
  | '*'
  | { readonly service: string; readonly name: string; readonly without?: 'region' | 'account' | 'both' };

/** The parts of ARNs that differ between deployments. */
export interface DeploymentNames {
  /** The beginning of the names of the resources. */
  readonly prefix: string;
  /** The qualifier of the bootstrapped environment. */
  readonly qualifier: string;
  readonly account: string;
  readonly region: string;
  readonly partition: string;
  /** The ARN of the policy that limits the roles of the stack. */
  readonly boundaryArn: string;
}

/** Writes the full names of actions of a service. Each text names one action, or several with spaces between them. */
export const nameActions = (service: string, ...names: readonly string[]) =>
  names.flatMap((group) => group.split(' ')).map((name) => `${service}:${name}`);

const inService = (service: string, ...names: readonly string[]) => names.map((name) => ({ service, name }));

/**
 * Returns the rights that CloudFormation needs to create, read, update, tag and delete a resource, by the type of the resource.
 * They are limited to names that begin with the name of the stack, wherever resources have such names.
 */
export function rightsByType({
  prefix,
  qualifier,
  account,
  region,
  partition,
  boundaryArn,
}: DeploymentNames): Readonly<Record<string, readonly ServiceRights[]>> {
  const named = `${prefix}*`;
  const functions = inService('lambda', `function:${named}`);
  const roles: ArnTarget[] = [{ service: 'iam', name: `role/${named}`, without: 'region' }];
  const topics = inService('sns', named);
  const logGroups = inService('logs', `log-group:${named}`);
  const onApi = (...names: string[]): ServiceRights => ({
    actions: nameActions('apigateway', 'GET POST PUT PATCH DELETE'),
    on: names.map((name) => ({ service: 'apigateway', name, without: 'account' })),
  });
  // The names of buckets have no capital letters.
  const buckets: ArnTarget[] = [{ service: 's3', name: named.toLowerCase(), without: 'both' }];
  // The ids of APIs are random.
  const apis = onApi('/apis', '/apis/*', '/tags/*');
  const invocation: ServiceRights = { actions: ['lambda:InvokeFunction'], on: functions };
  return {
    'AWS::ApiGatewayV2::Api': [apis],
    'AWS::ApiGatewayV2::ApiMapping': [onApi('/domainnames', '/domainnames/*')],
    'AWS::ApiGatewayV2::DomainName': [
      onApi('/domainnames', '/domainnames/*', '/tags/*'),
      {
        actions: ['iam:CreateServiceLinkedRole'],
        on: [{ service: 'iam', name: 'role/aws-service-role/ops.apigateway.amazonaws.com/*', without: 'region' }],
      },
    ],
    'AWS::ApiGatewayV2::Integration': [apis],
    'AWS::ApiGatewayV2::Route': [apis],
    'AWS::ApiGatewayV2::Stage': [
      apis,
      {
        // The access log is delivered by CloudWatch Logs, whose actions for this take no resource.
        actions: nameActions(
          'logs',
          'CreateLogDelivery DeleteLogDelivery GetLogDelivery ListLogDeliveries UpdateLogDelivery',
          'DescribeLogGroups DescribeResourcePolicies PutResourcePolicy',
        ),
        on: ['*'],
      },
    ],
    'AWS::CloudFormation::Stack': [
      {
        actions: nameActions(
          'cloudformation',
          'CreateStack DeleteStack DescribeStacks UpdateStack TagResource UntagResource CreateChangeSet',
          'DeleteChangeSet DescribeChangeSet ExecuteChangeSet',
        ),
        on: inService('cloudformation', `stack/${named}`),
      },
      {
        actions: ['s3:GetObject'],
        on: [{ service: 's3', name: `cdk-${qualifier}-assets-${account}-${region}/*`, without: 'both' }],
      },
      { actions: ['ssm:GetParameters'], on: inService('ssm', `parameter/cdk-bootstrap/${qualifier}/version`) },
    ],
    'AWS::CloudWatch::Alarm': [
      {
        actions: nameActions('cloudwatch', 'PutMetricAlarm DeleteAlarms TagResource UntagResource ListTagsForResource'),
        on: inService('cloudwatch', `alarm:${named}`),
      },
      { actions: ['cloudwatch:DescribeAlarms'], on: ['*'] },
    ],
    'AWS::CloudWatch::Dashboard': [
      {
        actions: nameActions(
          'cloudwatch',
          'PutDashboard GetDashboard DeleteDashboards TagResource UntagResource ListTagsForResource',
        ),
        // CloudFormation may name it without the name of the stack.
        on: [{ service: 'cloudwatch', name: 'dashboard/*', without: 'region' }],
      },
    ],
    'AWS::DynamoDB::Table': [
      {
        actions: nameActions(
          'dynamodb',
          'CreateTable UpdateTable DeleteTable DescribeTable DescribeTimeToLive UpdateTimeToLive',
          'DescribeContinuousBackups UpdateContinuousBackups DescribeContributorInsights',
          'DescribeKinesisStreamingDestination GetResourcePolicy TagResource UntagResource',
          'ListTagsOfResource',
        ),
        on: inService('dynamodb', `table/${named}`),
      },
    ],
    'AWS::Events::Rule': [
      {
        actions: nameActions(
          'events',
          'PutRule DeleteRule DescribeRule EnableRule DisableRule PutTargets RemoveTargets',
          'ListTargetsByRule TagResource UntagResource ListTagsForResource',
        ),
        on: inService('events', `rule/${named}`),
      },
    ],
    'AWS::IAM::ManagedPolicy': [
      {
        actions: nameActions(
          'iam',
          'CreatePolicy DeletePolicy GetPolicy TagPolicy UntagPolicy CreatePolicyVersion',
          'DeletePolicyVersion GetPolicyVersion ListPolicyVersions',
        ),
        on: [{ service: 'iam', name: `policy/${named}`, without: 'region' }],
      },
      {
        actions: ['iam:AttachRolePolicy', 'iam:DetachRolePolicy'],
        on: roles,
        conditions: {
          StringEquals: { 'iam:PermissionsBoundary': boundaryArn },
          ArnLike: { 'iam:PolicyARN': `arn:${partition}:iam::${account}:policy/${named}` },
        },
      },
    ],
    'AWS::IAM::Policy': [
      {
        actions: ['iam:PutRolePolicy', 'iam:DeleteRolePolicy'],
        on: roles,
        conditions: { StringEquals: { 'iam:PermissionsBoundary': boundaryArn } },
      },
      { actions: ['iam:GetRolePolicy', 'iam:ListRolePolicies'], on: roles },
    ],
    'AWS::IAM::Role': [
      {
        // Without the boundary, the creator of a role could give it every right, and use it through a function.
        actions: ['iam:CreateRole', 'iam:PutRolePermissionsBoundary'],
        on: roles,
        conditions: { StringEquals: { 'iam:PermissionsBoundary': boundaryArn } },
      },
      {
        actions: nameActions(
          'iam',
          'DeleteRole GetRole UpdateRole UpdateAssumeRolePolicy TagRole UntagRole ListAttachedRolePolicies',
          'ListRoleTags',
        ),
        on: roles,
      },
      {
        actions: ['iam:PassRole'],
        on: roles,
        conditions: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
      },
    ],
    'AWS::Lambda::EventSourceMapping': [
      {
        actions: ['Create', 'Update', 'Delete'].map((verb) => `lambda:${verb}EventSourceMapping`),
        on: ['*'],
        conditions: {
          ArnLike: { 'lambda:FunctionArn': `arn:${partition}:lambda:${region}:${account}:function:${named}` },
        },
      },
      {
        actions: ['lambda:GetEventSourceMapping', 'lambda:ListTags', 'lambda:TagResource', 'lambda:UntagResource'],
        on: inService('lambda', 'event-source-mapping:*'),
      },
    ],
    'AWS::Lambda::Function': [
      {
        actions: nameActions(
          'lambda',
          'CreateFunction UpdateFunctionCode UpdateFunctionConfiguration DeleteFunction GetFunction',
          'GetFunctionConfiguration GetFunctionCodeSigningConfig GetRuntimeManagementConfig',
          'GetFunctionRecursionConfig PutFunctionConcurrency DeleteFunctionConcurrency TagResource',
          'UntagResource ListTags',
        ),
        on: functions,
      },
    ],
    'AWS::Lambda::Permission': [
      { actions: ['lambda:AddPermission', 'lambda:RemovePermission', 'lambda:GetPolicy'], on: functions },
    ],
    'AWS::Lambda::Url': [
      {
        actions: ['Create', 'Update', 'Delete', 'Get'].map((verb) => `lambda:${verb}FunctionUrlConfig`),
        on: functions,
      },
    ],
    'AWS::Logs::LogGroup': [
      {
        actions: nameActions(
          'logs',
          'CreateLogGroup DeleteLogGroup PutRetentionPolicy DeleteRetentionPolicy TagResource',
          'UntagResource ListTagsForResource GetDataProtectionPolicy DescribeIndexPolicies',
        ),
        on: logGroups,
      },
      { actions: ['logs:DescribeLogGroups', 'logs:DescribeResourcePolicies'], on: ['*'] },
    ],
    'AWS::Logs::MetricFilter': [
      { actions: ['logs:PutMetricFilter', 'logs:DeleteMetricFilter', 'logs:DescribeMetricFilters'], on: logGroups },
    ],
    'AWS::S3::Bucket': [
      {
        actions: nameActions(
          's3',
          'CreateBucket DeleteBucket ListBucket GetBucketVersioning PutBucketVersioning',
          'GetBucketObjectLockConfiguration PutBucketObjectLockConfiguration GetBucketPublicAccessBlock',
          'PutBucketPublicAccessBlock GetBucketTagging PutBucketTagging TagResource UntagResource ListTagsForResource',
          // A read of the whole bucket asks for these, too.
          'GetAccelerateConfiguration GetAnalyticsConfiguration GetBucketAcl GetBucketCORS GetBucketLogging',
          'GetBucketNotification GetBucketOwnershipControls GetBucketWebsite GetEncryptionConfiguration',
          'GetIntelligentTieringConfiguration GetInventoryConfiguration GetLifecycleConfiguration',
          'GetMetricsConfiguration GetReplicationConfiguration',
        ),
        on: buckets,
      },
    ],
    'AWS::S3::BucketPolicy': [
      { actions: nameActions('s3', 'GetBucketPolicy PutBucketPolicy DeleteBucketPolicy'), on: buckets },
    ],
    'AWS::SNS::Subscription': [
      {
        actions: nameActions(
          'sns',
          'Subscribe Unsubscribe ListSubscriptionsByTopic GetSubscriptionAttributes',
          'SetSubscriptionAttributes',
        ),
        on: topics,
      },
    ],
    'AWS::SNS::Topic': [
      {
        actions: nameActions(
          'sns',
          'CreateTopic DeleteTopic GetTopicAttributes SetTopicAttributes ListSubscriptionsByTopic',
          'GetDataProtectionPolicy TagResource UntagResource ListTagsForResource',
        ),
        on: topics,
      },
    ],
    'AWS::SNS::TopicPolicy': [{ actions: ['sns:GetTopicAttributes', 'sns:SetTopicAttributes'], on: topics }],
    // CloudFormation calls the function of a custom resource.
    'Custom::PreparedStore': [invocation],
  };
}
