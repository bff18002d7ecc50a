import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { routeKeyOf } from '../../infra/api.ts';
import { insecureLocalToken } from '../../infra/local/insecure-token.ts';
import type { Endpoint } from '../../lib/http/declaration.ts';
import { tableDefinition } from '../../lib/table/keys.ts';
import { freshTable } from '../harness/table.ts';
import { synthesize } from './synthesize.ts';
import { functionBehind, functionsOfRoutes, type Resource, resourcesOf, theOnly } from './template.ts';

const endpoints = Object.values<Endpoint>(registry).map(({ declaration }) => ({
  declaration,
  route: routeKeyOf(declaration),
}));

const { main: template } = synthesize();
const { main: ephemeral } = synthesize({ ephemeral: 'true' });

test('every endpoint has a route that leads to a function of its own', () => {
  const functions = endpoints.map(({ route, declaration }) => {
    const behind = functionBehind(template, route);
    expect(behind?.Properties.Description, route).toBe(declaration.summary);
    return behind;
  });
  expect(new Set(functions).size).toBe(endpoints.length);
});

test('every route leads to an endpoint, but one, which leads to the function for what no endpoint takes', () => {
  const routes = [...resourcesOf(template, 'AWS::ApiGatewayV2::Route').values()];
  const expected = [...endpoints.map(({ route }) => route), '$default'];
  expect(routes.map(({ Properties }) => Properties.RouteKey).toSorted()).toEqual(expected.toSorted());
  expect(functionBehind(template, '$default')?.Properties.Description).toBe('Answers what no route takes.');
});

test('every function behind a route writes into a log group of its own, which forgets after 90 days', () => {
  const logGroups = resourcesOf(template, 'AWS::Logs::LogGroup');
  const names = functionsOfRoutes(template).map(({ Properties }) => Properties.LoggingConfig?.LogGroup.Ref ?? '');
  expect(new Set(names).size).toBe(endpoints.length + 1);
  for (const name of names) expect(logGroups.get(name)?.Properties.RetentionInDays, name).toBe(90);
});

test('logs are kept for as long as the context says, by every log group', () => {
  const { main } = synthesize({ logRetentionDays: '30' });
  for (const { Properties } of functionsOfRoutes(main)) {
    const logGroup = resourcesOf(main, 'AWS::Logs::LogGroup').get(Properties.LoggingConfig?.LogGroup.Ref ?? '');
    expect(logGroup?.Properties.RetentionInDays).toBe(30);
  }
});

test('functions run on Node 24 on arm64, or on x86_64 where that is asked for', () => {
  const { main: x86 } = synthesize({ architecture: 'x86_64' });
  for (const [each, architecture] of [
    [template, 'arm64'],
    [x86, 'x86_64'],
  ] as const) {
    for (const { Properties } of resourcesOf(each, 'AWS::Lambda::Function').values()) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: [architecture] });
    }
  }
});

test('a function behind a route has a whole processor, ends before its gateway does, and sends nothing to X-Ray', () => {
  for (const { Properties } of functionsOfRoutes(template)) {
    expect(Properties).toMatchObject({ MemorySize: 1769, Timeout: 29 });
    expect(Properties.TracingConfig).toBeUndefined();
  }
});

test('no concurrency is reserved unless that is asked for, and then for each function behind a route', () => {
  const reserved = (of: typeof template) =>
    functionsOfRoutes(of).map(({ Properties }) => Properties.ReservedConcurrentExecutions);
  expect(new Set(reserved(template))).toEqual(new Set([undefined]));
  expect(new Set(reserved(synthesize({ reservedConcurrency: '5' }).main))).toEqual(new Set([5]));
});

test('a function is given the variables that it reads', () => {
  for (const { route, declaration } of endpoints) {
    const { body, bodyLimitVariable, method } = declaration;
    const limits = body === undefined ? [] : ['BODY_LIMIT_BYTES', bodyLimitVariable ?? []].flat();
    const variables = functionBehind(template, route)?.Properties.Environment?.Variables ?? {};
    expect(Object.keys(variables).toSorted(), route).toEqual(
      [...limits, ...(method === 'GET' ? ['ALLOW'] : []), 'DYNAMODB_ENDPOINT', 'LOG_LEVEL', 'TABLE_NAME'].toSorted(),
    );
  }
});

test('the table on AWS has the keys and indexes of the local one', async () => {
  const local = await freshTable();
  const { Table } = await local.client.send(new DescribeTableCommand({ TableName: local.name }));
  const deployed = theOnly(template, 'AWS::DynamoDB::Table');
  for (const part of [
    'KeySchema',
    'AttributeDefinitions',
    'GlobalSecondaryIndexes',
    'LocalSecondaryIndexes',
  ] as const) {
    expect(deployed.Properties[part], part).toEqual(Table?.[part]);
  }
  expect(deployed.Properties.KeySchema).toEqual([
    { AttributeName: tableDefinition.partitionKey, KeyType: 'HASH' },
    { AttributeName: tableDefinition.sortKey, KeyType: 'RANGE' },
  ]);
});

test('the table forgets what has expired, can be restored, is encrypted and is paid for by the request', () => {
  template.hasResourceProperties('AWS::DynamoDB::Table', {
    TimeToLiveSpecification: { AttributeName: tableDefinition.timeToLive, Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: { SSEEnabled: true },
    BillingMode: 'PAY_PER_REQUEST',
  });
});

test('the table and the logs survive their stack, unless it is ephemeral', () => {
  const kept = { DeletionPolicy: 'Retain', Properties: { DeletionProtectionEnabled: true } };
  const gone = { DeletionPolicy: 'Delete', Properties: { DeletionProtectionEnabled: false } };
  expect(theOnly(template, 'AWS::DynamoDB::Table')).toMatchObject(kept);
  expect(theOnly(ephemeral, 'AWS::DynamoDB::Table')).toMatchObject(gone);
  const policies = (logGroups: Map<string, Resource>) =>
    new Set([...logGroups.values()].map(({ DeletionPolicy }) => DeletionPolicy));
  expect(policies(resourcesOf(template, 'AWS::Logs::LogGroup'))).toEqual(new Set(['Retain']));
  expect(policies(resourcesOf(ephemeral, 'AWS::Logs::LogGroup'))).toEqual(new Set(['Delete']));
});

test('nothing of an ephemeral stack stays when it goes', () => {
  const kept = [...resourcesOf(ephemeral)].filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'));
  expect(kept.map(([id]) => id)).toEqual([]);
});

test('the insecure local token is in no template', () => {
  const [, secret = ''] = insecureLocalToken.split('.');
  expect(secret.length).toBeGreaterThan(10);
  for (const each of [template, ephemeral]) expect(JSON.stringify(each.toJSON())).not.toContain(secret);
});
