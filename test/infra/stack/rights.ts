import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { functionOf } from '../../../infra/deployed-endpoints.ts';
import { accessOf, accessOfAll } from '../../../infra/roles.ts';
import { edgeClients } from '../../../lib/delivery/edge/edge-clients.ts';
import * as eventKeys from '../../../lib/events/keys.ts';
import * as useKeys from '../../../lib/features/use/keys.ts';
import { customRoles } from '../../../lib/identity/roles.ts';
import * as tokenKeys from '../../../lib/identity/tokens/keys.ts';
import { users } from '../../../lib/identity/users.ts';
import { addons } from '../../../lib/integrations/addons.ts';
import * as sendingKeys from '../../../lib/integrations/sending/keys.ts';
import { settingKey } from '../../../lib/settings/settings.ts';
import * as signInKeys from '../../../lib/sign-in/keys.ts';
import type { Key } from '../../../lib/store/client/definition.ts';
import { declaredPartitions, keyFiles } from '../../harness/declared-partitions.ts';
import { isAmong } from '../../harness/report-rights.ts';
import { addressedFolders, deployedRoutes, joinedFolders } from '../deployed-routes.ts';
import { synthesize, synthesizeEndpoints, synthesizeFew } from '../synthesize.ts';
import {
  actionsOf,
  functionBehind,
  functionsOfRoutes,
  type Resource,
  resourcesOf,
  type Statement,
  statementsOf,
  targetsOf,
  theOnly,
} from '../template.ts';

const readActions = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const writeActions = ['dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
const all = [...readActions, ...writeActions];
// A function that only reads may add to the counts of calls.
const tableActions = { none: [], read: [...readActions, 'dynamodb:UpdateItem'], report: all, write: all };

/** The builders of keys that reports write; the counter of events is one of several counters. */
const writtenByReports = [
  ...[
    'usage',
    'featureSeen',
    'projectSeen',
    'customMetric',
    'impactMetric',
    'impactPeriod',
    'featureMinute',
    'traffic',
    'unknownFlag',
    'counter',
  ],
  ...['applicationSeen', 'applicationFeature', 'projectApplication', 'projectWeek', 'applicationSdk'],
  ...['applicationInstance', 'serviceEvents', 'feature', 'featureEnvironment', 'featurePart', 'featureChild'],
  ...['featureEvents', 'listedFeature', 'delivery', 'marks'],
];

// Some functions of a key file take a key apart, and return none.
type KeyMaker = (...parts: string[]) => Key | (Key | undefined)[] | undefined;
const keyMakers = (
  await Promise.all(
    [...keyFiles.keys()].map((file): Promise<Record<string, KeyMaker | Key[]>> => import(resolve(file))),
  )
).flatMap((module) => Object.entries(module));

/** One of every key and list whose builder is not named, unless it is in the partition of one that is. */
function keysBut(names: readonly string[]): Key[] {
  const isNamed = ([name]: readonly [string, unknown]) => names.includes(name);
  const made = ([, maker]: readonly [string, KeyMaker | Key[]]) =>
    [typeof maker === 'function' ? maker('1', '1', '1', '1') : maker]
      .flat()
      .filter((key): key is Key => key?.pk !== undefined);
  const named = new Set(
    keyMakers
      .filter(isNamed)
      .flatMap(made)
      .map(({ pk }) => pk),
  );
  return keyMakers
    .filter((each) => !isNamed(each))
    .flatMap(made)
    .filter(({ pk }) => !named.has(pk));
}

/** Those that have a function of their own. */
const endpoints = deployedRoutes.filter(({ folder }) => !joinedFolders.includes(folder));

const { whole: template } = synthesize();

/** The statements that allow an action on a partition of the table. */
const thoseAllowing = (statements: readonly Statement[], action: string, partition: string) =>
  statements.filter((statement) => {
    const { Condition = {} } = statement as { Condition?: Record<string, Record<string, string[]>> };
    const like = Condition['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
    const unlike = Condition['ForAllValues:StringNotLike']?.['dynamodb:LeadingKeys'] ?? [];
    const isMeant = (like === undefined || isAmong(like, partition)) && !isAmong(unlike, partition);
    return actionsOf([statement]).includes(`dynamodb:${action}`) && isMeant;
  });

test('a function of SDKs writes only their reports, and the time at which tokens are used', () => {
  for (const folder of addressedFolders) {
    const [joined] = deployedRoutes.filter((each) => each.folder === folder);
    const statements = statementsOf(template, functionBehind(template, joined?.route ?? ''));
    const allowing = (action: string, partition: string) => thoseAllowing(statements, action, partition);
    for (const action of ['PutItem', 'UpdateItem', 'DeleteItem']) {
      expect(allowing(action, useKeys.usage('checkout', '2026-11-23T10', 'production', 'shop').pk)).toHaveLength(1);
      const others = keysBut(writtenByReports);
      const ofEntities = declaredPartitions.filter(({ pk }) => pk !== 'APPLICATIONS');
      const isToken = (pk: string) => pk.startsWith('TOKENS#');
      for (const { pk } of [...others, ...ofEntities]) {
        expect(allowing(action, pk), `${action} ${pk}`).toHaveLength(isToken(pk) && action === 'UpdateItem' ? 1 : 0);
      }
    }
    expect(allowing('UpdateItem', tokenKeys.token('1').pk)).toMatchObject([
      { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'seenAt'] } } },
    ]);
    for (const { pk } of [
      signInKeys.signIn(1),
      signInKeys.session(1, 'hash'),
      signInKeys.invited('secret', 1),
      signInKeys.signOn('id'),
    ]) {
      expect(allowing('GetItem', pk), pk).toEqual([]);
      expect(allowing('Query', pk), pk).toEqual([]);
    }
  }
});

test("an endpoint has exactly the rights on the table that its function's endpoints need", () => {
  for (const [name, members] of Map.groupBy(deployedRoutes, (each) => functionOf(each))) {
    const accesses = members.map(({ declaration }) => accessOf(declaration));
    const access = accessOfAll(accesses);
    for (const { route } of members) {
      const actions = actionsOf(statementsOf(template, functionBehind(template, route)));
      const onTable = actions.filter((action) => action.startsWith('dynamodb:'));
      expect([...new Set(onTable)].toSorted(), `${name} ${route}`).toEqual(tableActions[access].toSorted());
    }
  }
});

test('a function that only reads may only write counts of calls', () => {
  const readers = endpoints.filter(
    ({ declaration }) =>
      (declaration.method === 'GET' && declaration.rights !== 'count') || declaration.rights === 'read',
  );
  expect(readers.length).toBeGreaterThan(0);
  for (const route of [...readers.map((reader) => reader.route), '$default']) {
    const writing = statementsOf(template, functionBehind(template, route)).filter((statement) =>
      actionsOf([statement]).some((action) => action.startsWith('dynamodb:') && !readActions.includes(action)),
    );
    // The first test says which of them have this right at all.
    for (const each of writing) {
      expect(each, route).toMatchObject({
        Action: 'dynamodb:UpdateItem',
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['TRAFFIC'] } },
      });
    }
  }
});

test('a GET reads, others write unless they declare that they read, and every endpoint with a token may look it up', () => {
  const declared = { path: '/', group: '', summary: '', responses: {} } as const;
  expect(accessOf({ ...declared, method: 'GET' })).toBe('read');
  expect(accessOf({ ...declared, method: 'POST' })).toBe('write');
  expect(accessOf({ ...declared, method: 'POST', rights: 'read' })).toBe('read');
  expect(accessOf({ ...declared, method: 'POST', rights: 'count' })).toBe('write');
  expect(accessOf({ ...declared, method: 'POST', rights: 'count', audience: 'frontend' })).toBe('report');
  expect(accessOf({ ...declared, method: 'POST', rights: 'none' })).toBe('read');
  expect(accessOf({ ...declared, method: 'POST', rights: 'none', audience: 'public' })).toBe('none');
});

test('no role has wildcard actions, wildcard resources or managed policies, without exception', () => {
  const statements = statementsOf(template);
  expect(statements.length).toBeGreaterThan(0);
  expect(actionsOf(statements).filter((action) => action.includes('*'))).toEqual([]);
  expect(targetsOf(statements).filter((target) => target === '*')).toEqual([]);
  for (const { Properties } of resourcesOf(template, 'AWS::IAM::Role').values()) {
    expect(Properties.ManagedPolicyArns).toBeUndefined();
    expect(Properties.Policies).toBeUndefined();
  }
});

test('nobody may change the definition of the table, delete it or scan it', () => {
  const onTable = actionsOf(statementsOf(template)).filter((action) => action.startsWith('dynamodb:'));
  // The functions in the background read the stream, too, which has keys alone.
  const ofStream = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  const others = onTable.filter((action) => !all.includes(action));
  expect(new Set(others)).toEqual(new Set(ofStream.map((action) => `dynamodb:${action}`)));
});

test('rights on tables apply to the one table and its index, and rights on logs to the log groups of the stack', () => {
  const idOf = (type: string) => [...resourcesOf(template, type).keys()];
  const arnsOf = (type: string) => idOf(type).map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
  const [table] = arnsOf('AWS::DynamoDB::Table');
  const stream = { 'Fn::GetAtt': [idOf('AWS::DynamoDB::Table')[0], 'StreamArn'] };
  const index = { 'Fn::Join': ['', [table, '/index/eventLog']] };
  for (const [prefix, arns] of [
    ['dynamodb:', [table, index, stream]],
    ['logs:', arnsOf('AWS::Logs::LogGroup')],
  ] as const) {
    const statements = statementsOf(template).filter((each) => actionsOf([each]).some((it) => it.startsWith(prefix)));
    expect(statements.length).toBeGreaterThan(0);
    for (const target of targetsOf(statements)) expect(arns).toContainEqual(target);
  }
});

test('a function may write into its own log group', () => {
  for (const handler of functionsOfRoutes(template)) {
    const own = { 'Fn::GetAtt': [handler.Properties.LoggingConfig?.LogGroup.Ref, 'Arn'] };
    const statements = statementsOf(template, handler).filter((each) =>
      actionsOf([each]).includes('logs:PutLogEvents'),
    );
    expect(targetsOf(statements)).toContainEqual(own);
  }
});

test('only the API may call the functions behind its routes, each through its route, and only function URLs those of SDKs', () => {
  const permissionsIn = (of: typeof template) => [...resourcesOf(of, 'AWS::Lambda::Permission').values()];
  const [ofClock, ofRoutes] = [true, false].map((isOfClock) =>
    permissionsIn(template).filter(({ Properties }) => (Properties.Principal === 'events.amazonaws.com') === isOfClock),
  ) as [Resource[], Resource[]];
  expect(ofClock).toHaveLength(4);
  const withUrls = synthesizeFew({ sdkConcurrency: '20' }).whole;
  const ofUrls = permissionsIn(withUrls).filter(({ Properties }) => Properties.Principal === '*');
  expect(ofUrls).toHaveLength(2 * addressedFolders.length);
  expect(ofRoutes).toHaveLength(resourcesOf(template, 'AWS::ApiGatewayV2::Route').size);
  for (const { Properties } of ofUrls) {
    // An address without a signature needs both, and by the second nobody gets past the address.
    if (Properties.Action === 'lambda:InvokeFunction') expect(Properties.InvokedViaFunctionUrl).toBe(true);
    else expect(Properties).toMatchObject({ Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'NONE' });
  }
  const [api] = resourcesOf(template, 'AWS::ApiGatewayV2::Api').keys();
  for (const { Properties } of ofRoutes) {
    expect(Properties.Principal).toBe('apigateway.amazonaws.com');
    expect(JSON.stringify(Properties.SourceArn)).toContain(`{"Ref":"${api}"}`);
  }
});

test('the topic of the alarms takes messages over TLS only, and from CloudWatch of the same account only', () => {
  const { Statement } = theOnly(template, 'AWS::SNS::TopicPolicy').Properties.PolicyDocument ?? { Statement: [] };
  expect(Statement).toMatchObject([
    { Effect: 'Deny', Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    {
      Effect: 'Allow',
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
});

test('a function may send mail only from the sender, and only if there is one', () => {
  const sending = deployedRoutes.filter(({ declaration }) => declaration.sendsMail);
  const mailers = new Set(sending.map((each) => functionOf(each)));
  const others = deployedRoutes.filter(({ folder }) => sending.some((each) => each.folder === folder));
  const some = [...new Map([...sending, ...others].map((each) => [each.operationId, each])).values()];
  const { whole } = synthesizeEndpoints(some, { emailSender: 'flags@example.com' });
  for (const each of some) {
    const { route } = each;
    const mailing = statementsOf(whole, functionBehind(whole, route)).filter((each) =>
      actionsOf([each]).includes('ses:SendEmail'),
    );
    expect(mailing.length, route).toBe(mailers.has(functionOf(each)) ? 1 : 0);
    if (mailing.length === 0) continue;
    expect(mailing[0]).toMatchObject({ Condition: { StringEquals: { 'ses:FromAddress': 'flags@example.com' } } });
    expect(JSON.stringify(mailing[0])).not.toContain('"*"');
  }
  const schedules = 'Applies scheduled change requests, and does other work that waits for its time.';
  expect(actionsOf(statementsOf(whole, functionInBackground(whole, schedules)))).toContain('ses:SendEmail');
  const withoutSender = [
    functionInBackground(template, schedules),
    ...deployedRoutes.map(({ route }) => functionBehind(template, route)),
  ].flatMap((each) => actionsOf(statementsOf(template, each)));
  expect(withoutSender).not.toContain('ses:SendEmail');
});

function functionInBackground(of: typeof template, description: string): Resource | undefined {
  const functions = resourcesOf(of, 'AWS::Lambda::Function');
  return [...functions.values()].find(({ Properties }) => Properties.Description === description);
}

test('the sending function reads no secrets, and writes only the state of its own work', () => {
  const statements = statementsOf(template, functionInBackground(template, 'Sends events to integrations.'));
  const allowing = (action: string, { pk }: Key) => thoseAllowing(statements, action, pk).length > 0;
  const written = [
    sendingKeys.senderState(),
    sendingKeys.receiverState(1),
    sendingKeys.queue(1, 'F#a'),
    sendingKeys.sentEvent(1, 1),
  ];
  const read = [
    eventKeys.featureEvents('a', 1),
    eventKeys.serviceEvents('2026-11', 1),
    addons.keyOf(1),
    users.keyOf(1),
    customRoles.keyOf(1),
  ];
  for (const key of [...written, ...read]) expect(allowing('Query', key), key.pk).toBe(true);
  for (const key of written) expect(allowing('PutItem', key), key.pk).toBe(true);
  for (const key of read) expect(allowing('PutItem', key), key.pk).toBe(false);
  const secret = [
    tokenKeys.token('a'),
    signInKeys.signIn(1),
    signInKeys.session(1, 'a'),
    signInKeys.invited('a', 1),
    edgeClients.keyOf('a'),
  ];
  for (const key of [...secret, settingKey('a')]) expect(allowing('Query', key), key.pk).toBe(false);
  expect(actionsOf(statements).filter((action) => action.startsWith('events:'))).toEqual([
    'events:DisableRule',
    'events:EnableRule',
  ]);
});
