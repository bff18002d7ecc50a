import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import cdkSettings from '../../../cdk.json' with { type: 'json' };
import { deploymentSettingsOf } from '../../../infra/deployment/deployment-settings.ts';
import { DeploymentStack } from '../../../infra/deployment/deployment-stack.ts';
import { rightsByType } from '../../../infra/deployment/rights-by-type.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { scopeWith } from '../scope.ts';
import { checkpointKeyArn, chosen, keeping, ofAccount, synthesize, synthesizeFew } from '../synthesize.ts';
import { actionsOf, resourcesOf, type Statement, statementsOf, theOnly } from '../template.ts';

const variants = [
  synthesize(),
  ...[chosen, { ...ofAccount, ...keeping, sdkConcurrency: '20' }, { functions: 'few' }, { tableName: 'restored' }].map(
    (context) => synthesizeFew(context),
  ),
];

function deploymentWith(context: Readonly<Record<string, string>>): Template {
  using folder = temporaryFolder();
  const app = new App({ outdir: folder.path, context: { ...cdkSettings.context, ...context }, treeMetadata: false });
  return Template.fromStack(new DeploymentStack(app, deploymentSettingsOf(app)));
}

const template = deploymentWith({
  ...{ repository: 'acme/flags', provider: 'create', smtpParameter: ofAccount.smtpParameter },
  encryptionKeyArn: ofAccount.encryptionKeyArn,
  checkpointKeyArn,
});

/** The statements of a managed policy. */
const policy = (name: string) =>
  [...resourcesOf(template, 'AWS::IAM::ManagedPolicy')]
    .filter(([id]) => id.startsWith(name))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument?.Statement ?? []) as (Statement & {
    readonly Condition?: unknown;
  })[];

test('CloudFormation has rights for every type of resource in any stack of the service, and for no others', () => {
  const types = new Set(variants.flatMap(({ main, whole }) => [main, whole]).flatMap(typesIn));
  const part = 'x';
  const known = rightsByType({
    ...{ prefix: part, qualifier: part, account: part, region: part, partition: part, boundaryArn: part },
  });
  // A policy that grows too long for a role is continued in a managed one.
  expect(Object.keys(known).toSorted()).toEqual([...types, 'AWS::IAM::ManagedPolicy'].toSorted());
});

function typesIn(each: Template): string[] {
  return [...resourcesOf(each).values()].map(({ Type }) => Type);
}

test('every right of every function is within the boundary', () => {
  const within = new Set(actionsOf(policy('Boundary')));
  const given = new Set(variants.flatMap(({ whole }) => actionsOf(statementsOf(whole))));
  expect([...given].filter((action) => !within.has(action))).toEqual([]);
});

test('roles can only be created and changed with the boundary, and passed to functions only', () => {
  const boundary = { StringEquals: { 'iam:PermissionsBoundary': { Ref: expect.stringMatching(/^Boundary/) } } };
  const conditions = {
    CreateRole: boundary,
    PutRolePermissionsBoundary: boundary,
    PutRolePolicy: boundary,
    AttachRolePolicy: boundary,
    PassRole: { StringEquals: { 'iam:PassedToService': 'lambda.amazonaws.com' } },
  };
  for (const [action, Condition] of Object.entries(conditions)) {
    const allowing = policy('Execution').filter((each) => actionsOf([each]).includes(`iam:${action}`));
    expect(allowing, action).toHaveLength(1);
    expect(allowing[0], action).toMatchObject({ Condition });
  }
  const all = actionsOf(policy('Execution'));
  expect(all).not.toContain('iam:DeleteRolePermissionsBoundary');
  expect(all.filter((action) => action.includes('*'))).toEqual([]);
});

test('rights apply to what has the name of the stack, except where AWS takes no name', () => {
  const unnamed = policy('Execution').filter(
    ({ Resource }) =>
      !/Flagstaff-\*|:flagstaff-\*|cdk-flagstaff-assets|cdk-bootstrap\/flagstaff|arn:aws:kms/.test(
        JSON.stringify(Resource),
      ),
  );
  expect(new Set(actionsOf(unnamed).map((action) => action.replace(/:(Get|List|Describe)\w+$/, ':read')))).toEqual(
    new Set([
      ...['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].map((verb) => `apigateway:${verb}`),
      ...['read', 'PutDashboard', 'DeleteDashboards', 'TagResource', 'UntagResource'].map(
        (each) => `cloudwatch:${each}`,
      ),
      'iam:CreateServiceLinkedRole',
      ...['Create', 'Update', 'Delete'].map((verb) => `lambda:${verb}EventSourceMapping`),
      ...['lambda:read', 'lambda:TagResource', 'lambda:UntagResource'],
      ...['logs:read', 'logs:PutResourcePolicy'],
      ...['Create', 'Update', 'Delete'].map((verb) => `logs:${verb}LogDelivery`),
    ]),
  );
});

test('GitHub gets the role for one repository and one environment or branch', () => {
  const trustIn = (each: Template) =>
    theOnly(each, 'AWS::IAM::Role').Properties.AssumeRolePolicyDocument as { readonly Statement: object[] };
  const trusting = (subject: string) => [
    {
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
          'token.actions.githubusercontent.com:sub': subject,
        },
      },
    },
  ];
  expect(trustIn(template).Statement).toMatchObject(trusting('repo:acme/flags:environment:production'));
  const onBranch = deploymentWith({ repository: 'acme/flags', branch: 'main' });
  expect(trustIn(onBranch).Statement).toMatchObject(trusting('repo:acme/flags:ref:refs/heads/main'));
  expect(resourcesOf(onBranch, 'AWS::IAM::OIDCProvider').size).toBe(0);
});

test('the role of GitHub may do nothing but take the two roles of the CDK that deploy, and read templates', () => {
  const statements = theOnly(template, 'AWS::IAM::Policy').Properties.PolicyDocument?.Statement ?? [];
  const actions = actionsOf(statements);
  expect(actions.filter((action) => !/^cloudformation:(Describe|Get|List)/.test(action))).toEqual(['sts:AssumeRole']);
  expect(JSON.stringify(statements).match(/cdk-[a-z-]*/g)).toEqual([
    'cdk-flagstaff-deploy-role-',
    'cdk-flagstaff-file-publishing-role-',
  ]);
});

test('no policy is longer than AWS allows, even in the region with the longest name', () => {
  for (const { Properties } of resourcesOf(deploymentWith({ repository: 'a/b', stackName: 'a'.repeat(54) })).values()) {
    if (Properties.PolicyDocument === undefined) continue;
    const text = JSON.stringify(Properties.PolicyDocument)
      .replaceAll('{"Ref":"AWS::Region"}', '"ap-southeast-99"')
      .replaceAll('{"Ref":"AWS::AccountId"}', '"123456789012"')
      .replaceAll('{"Ref":"AWS::Partition"}', '"aws-us-gov"')
      .replaceAll(/\{"Ref":"Boundary\w+"\}/g, `"${'b'.repeat(120)}"`)
      .replaceAll(/\{"Fn::Join":\["",\[(.*?)\]\]\}/g, (_, parts: string) => `"${JSON.parse(`[${parts}]`).join('')}"`);
    expect(text).not.toContain('Fn::');
    expect(text.length).toBeLessThanOrEqual(6_144);
  }
});

test.each([
  {},
  { repository: 'flags' },
  { repository: 'acme/*' },
  { repository: 'acme/flags', environment: '*' },
  { repository: 'acme/flags', environment: 'production', branch: 'main' },
  { repository: 'acme/flags', qualifier: 'too-long-for-it' },
  { repository: 'acme/flags', provider: 'new' },
  { repository: 'acme/flags', branche: 'main' },
])('%o is refused before anything is deployed', (context) => {
  expect(() => deploymentSettingsOf(scopeWith(context))).toThrow(/repository|environment|qualifier|provider|branche/);
});

test('choices of the service in cdk.context.json are no settings of its deployment, but may be there', () => {
  const context = { repository: 'acme/flags', alarmEmail: 'operator@example.com', permissionsBoundary: 'boundary' };
  expect(deploymentSettingsOf(scopeWith(context))).toMatchObject({ repository: 'acme/flags' });
});

test('a refused value is explained in words', () => {
  expect(() => deploymentSettingsOf(scopeWith({ repository: 'flags' }))).toThrow(
    'repository must be a repository such as acme/flags, not "flags".',
  );
});

test.each(['Deployment', 'Deployment-of', 'deployment-of-flags', 'cdk', 'cdk-hnb659fds'])(
  'the stack cannot be called %s, or its deployments could change their own rights',
  (stackName) => {
    expect(() => deploymentWith({ repository: 'acme/flags', stackName })).toThrow(/stackName must not begin with/);
  },
);
