/** Rights on some resources. */
export interface ServiceRights {
  readonly actions: readonly string[];
  readonly on: readonly ArnTarget[];
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The service and the last part of an ARN, and the parts that such ARNs do not have; `*` for actions that take no resource. */
export type ArnTarget =
  | '*'
  | { readonly service: string; readonly name: string; readonly without?: 'region' | 'account' | 'both' };

/** The values of a deployment that its rights depend on. */
export interface Deployed {
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

const inService = (service: string, ...names: readonly string[]) => names.map((name) => ({ service, name }));

/**
 * Returns the rights that CloudFormation needs to create, read, update, tag and delete a resource, by its type. Names begin with the
 * name of the stack wherever CloudFormation or the stack chooses such a name.
 */
export function rightsByType({
  prefix,
  qualifier,
  account,
  region,
  partition,
  boundaryArn,
}: Deployed): Readonly<Record<string, readonly ServiceRights[]>> {
  const named = `${prefix}*`;
  const functions = inService('lambda', `function:${named}`);
  const roles: ArnTarget[] = [{ service: 'iam', name: `role/${named}`, without: 'region' }];
  const topics = inService('sns', named);
  const logGroups = inService('logs', `log-group:${named}`);
  const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((verb) => `apigateway:${verb}`);
  const ofApi = (...names: string[]): ServiceRights => ({
    actions: verbs,
    on: names.map((name) => ({ service: 'apigateway', name, without: 'account' })),
  });
  // The ids of APIs are random.
  const apis = ofApi('/apis', '/apis/*', '/tags/*');
  const invocation: ServiceRights = { actions: ['lambda:InvokeFunction'], on: functions };
  return {
    'AWS::ApiGatewayV2::Api': [apis],
    'AWS::ApiGatewayV2::ApiMapping': [ofApi('/domainnames', '/domainnames/*')],
    'AWS::ApiGatewayV2::DomainName': [
      ofApi('/domainnames', '/domainnames/*', '/tags/*'),
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
        actions: [
          ...['CreateLogDelivery', 'DeleteLogDelivery', 'GetLogDelivery', 'ListLogDeliveries', 'UpdateLogDelivery'],
          ...['DescribeLogGroups', 'DescribeResourcePolicies', 'PutResourcePolicy'],
        ].map((action) => `logs:${action}`),
        on: ['*'],
      },
    ],
    'AWS::CloudFormation::Stack': [
      {
        actions: [
          ...['CreateStack', 'DeleteStack', 'DescribeStacks', 'UpdateStack', 'TagResource', 'UntagResource'],
          ...['CreateChangeSet', 'DeleteChangeSet', 'DescribeChangeSet', 'ExecuteChangeSet'],
        ].map((action) => `cloudformation:${action}`),
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
        actions: ['PutMetricAlarm', 'DeleteAlarms', 'TagResource', 'UntagResource', 'ListTagsForResource'].map(
          (action) => `cloudwatch:${action}`,
        ),
        on: inService('cloudwatch', `alarm:${named}`),
      },
      { actions: ['cloudwatch:DescribeAlarms'], on: ['*'] },
    ],
    'AWS::CloudWatch::Dashboard': [
      {
        actions: [
          ...['PutDashboard', 'GetDashboard', 'DeleteDashboards'],
          ...['TagResource', 'UntagResource', 'ListTagsForResource'],
        ].map((action) => `cloudwatch:${action}`),
        // CloudFormation may name it without the name of the stack.
        on: [{ service: 'cloudwatch', name: 'dashboard/*', without: 'region' }],
      },
    ],
    'AWS::DynamoDB::Table': [
      {
        actions: [
          ...['CreateTable', 'UpdateTable', 'DeleteTable', 'DescribeTable', 'DescribeTimeToLive', 'UpdateTimeToLive'],
          ...['DescribeContinuousBackups', 'UpdateContinuousBackups', 'DescribeContributorInsights'],
          ...['DescribeKinesisStreamingDestination', 'GetResourcePolicy'],
          ...['TagResource', 'UntagResource', 'ListTagsOfResource'],
        ].map((action) => `dynamodb:${action}`),
        on: inService('dynamodb', `table/${named}`),
      },
    ],
    'AWS::Events::Rule': [
      {
        actions: [
          ...['PutRule', 'DeleteRule', 'DescribeRule', 'EnableRule', 'DisableRule', 'PutTargets', 'RemoveTargets'],
          ...['ListTargetsByRule', 'TagResource', 'UntagResource', 'ListTagsForResource'],
        ].map((action) => `events:${action}`),
        on: inService('events', `rule/${named}`),
      },
    ],
    'AWS::IAM::ManagedPolicy': [
      {
        actions: [
          ...['CreatePolicy', 'DeletePolicy', 'GetPolicy', 'TagPolicy', 'UntagPolicy'],
          ...['CreatePolicyVersion', 'DeletePolicyVersion', 'GetPolicyVersion', 'ListPolicyVersions'],
        ].map((action) => `iam:${action}`),
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
        actions: [
          ...['DeleteRole', 'GetRole', 'UpdateRole', 'UpdateAssumeRolePolicy', 'TagRole', 'UntagRole'],
          ...['ListAttachedRolePolicies', 'ListRoleTags'],
        ].map((action) => `iam:${action}`),
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
        actions: [
          ...['CreateFunction', 'UpdateFunctionCode', 'UpdateFunctionConfiguration', 'DeleteFunction', 'GetFunction'],
          ...['GetFunctionConfiguration', 'GetFunctionCodeSigningConfig', 'GetRuntimeManagementConfig'],
          ...['GetFunctionRecursionConfig', 'PutFunctionConcurrency', 'DeleteFunctionConcurrency'],
          ...['TagResource', 'UntagResource', 'ListTags'],
        ].map((action) => `lambda:${action}`),
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
        actions: [
          ...['CreateLogGroup', 'DeleteLogGroup', 'PutRetentionPolicy', 'DeleteRetentionPolicy'],
          ...[
            'TagResource',
            'UntagResource',
            'ListTagsForResource',
            'GetDataProtectionPolicy',
            'DescribeIndexPolicies',
          ],
        ].map((action) => `logs:${action}`),
        on: logGroups,
      },
      { actions: ['logs:DescribeLogGroups', 'logs:DescribeResourcePolicies'], on: ['*'] },
    ],
    'AWS::Logs::MetricFilter': [
      { actions: ['logs:PutMetricFilter', 'logs:DeleteMetricFilter', 'logs:DescribeMetricFilters'], on: logGroups },
    ],
    'AWS::SNS::Subscription': [
      {
        actions: [
          ...['Subscribe', 'Unsubscribe', 'ListSubscriptionsByTopic'],
          ...['GetSubscriptionAttributes', 'SetSubscriptionAttributes'],
        ].map((action) => `sns:${action}`),
        on: topics,
      },
    ],
    'AWS::SNS::Topic': [
      {
        actions: [
          ...['CreateTopic', 'DeleteTopic', 'GetTopicAttributes', 'SetTopicAttributes', 'ListSubscriptionsByTopic'],
          ...['GetDataProtectionPolicy', 'TagResource', 'UntagResource', 'ListTagsForResource'],
        ].map((action) => `sns:${action}`),
        on: topics,
      },
    ],
    'AWS::SNS::TopicPolicy': [{ actions: ['sns:GetTopicAttributes', 'sns:SetTopicAttributes'], on: topics }],
    // CloudFormation calls the function of a custom resource.
    'Custom::PreparedStore': [invocation],
  };
}
