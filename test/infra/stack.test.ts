import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as registry from '../../functions/index.ts';
import { entryPoints } from '../../infra/entry-points.ts';
import { accessOf } from '../../infra/roles.ts';
import { FlagstaffStack } from '../../infra/stack.ts';
import type { Endpoint } from '../../lib/http/declaration.ts';
import { tableDefinition } from '../../lib/table/keys.ts';
import { freshTable } from '../harness/table.ts';
import { actionsOf, functionBehind, resourcesOf, statementsOf } from './template.ts';

/** CloudFormation's documented limit. */
const resourcesMax = 500;

const readActions = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const writeActions = ['dynamodb:ConditionCheckItem', 'dynamodb:DeleteItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'];
const tableActions = { none: [], read: readActions, write: [...readActions, ...writeActions] };

const endpoints = Object.values<Endpoint>(registry).map(({ declaration }) => ({
  declaration,
  route: `${declaration.method} ${declaration.path}`,
}));

let bundles: string;
let template: Template;

function synthesize(context: Record<string, unknown> = {}): Template {
  const app = new App({ context: { 'aws:cdk:disable-asset-staging': true, ...context } });
  return Template.fromStack(new FlagstaffStack(app, 'Flagstaff', { bundles }));
}

beforeAll(() => {
  bundles = mkdtempSync(join(tmpdir(), 'flagstaff-bundles-'));
  // The stack does not look into the bundles, so empty directories will do.
  for (const name of Object.keys(entryPoints())) mkdirSync(join(bundles, name));
  template = synthesize();
});

afterAll(() => rmSync(bundles, { recursive: true }));

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

test('an endpoint has the rights on the table that its declaration asks for, and no others', () => {
  for (const { route, declaration } of endpoints) {
    const actions = actionsOf(statementsOf(template, functionBehind(template, route)));
    const onTable = actions.filter((action) => action.startsWith('dynamodb:'));
    expect(onTable.toSorted(), route).toEqual(tableActions[accessOf(declaration)].toSorted());
  }
});

test('a function that only reads has no right to write', () => {
  const readers = endpoints.filter(({ declaration }) => declaration.method === 'GET' || declaration.access === 'read');
  for (const route of [...readers.map((reader) => reader.route), '$default']) {
    const actions = actionsOf(statementsOf(template, functionBehind(template, route)));
    expect(
      writeActions.filter((action) => actions.includes(action)),
      route,
    ).toEqual([]);
  }
});

test('a GET reads, all else writes unless it says that it reads, and whoever asks for a token has to look it up', () => {
  const declared = { path: '/', tag: '', summary: '', responses: {} } as const;
  expect(accessOf({ ...declared, method: 'GET' })).toBe('read');
  expect(accessOf({ ...declared, method: 'POST' })).toBe('write');
  expect(accessOf({ ...declared, method: 'POST', access: 'read' })).toBe('read');
  expect(accessOf({ ...declared, method: 'POST', access: 'none' })).toBe('read');
  expect(accessOf({ ...declared, method: 'POST', access: 'none', public: true })).toBe('none');
});

test('no right covers all actions, all resources, or a scan of the table', () => {
  const statements = statementsOf(template);
  expect(statements.length).toBeGreaterThan(0);
  expect(actionsOf(statements).filter((action) => action.includes('*') || action.endsWith(':Scan'))).toEqual([]);
  expect(statements.filter(({ Resource }) => JSON.stringify(Resource).includes('"*"'))).toEqual([]);
  for (const { Properties } of resourcesOf(template, 'AWS::IAM::Role').values()) {
    expect(Properties.ManagedPolicyArns).toBeUndefined();
  }
});

test('the table on AWS has the keys and indexes of the local one', async () => {
  const local = await freshTable();
  const { Table } = await local.client.send(new DescribeTableCommand({ TableName: local.name }));
  const [deployed] = resourcesOf(template, 'AWS::DynamoDB::Table').values();
  for (const part of [
    'KeySchema',
    'AttributeDefinitions',
    'GlobalSecondaryIndexes',
    'LocalSecondaryIndexes',
  ] as const) {
    expect(deployed?.Properties[part], part).toEqual(Table?.[part]);
  }
  expect(deployed?.Properties.KeySchema).toEqual([
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

test('the table survives its stack, unless it is ephemeral', () => {
  const kept = { DeletionPolicy: 'Retain', Properties: { DeletionProtectionEnabled: true } };
  const gone = { DeletionPolicy: 'Delete', Properties: { DeletionProtectionEnabled: false } };
  template.hasResource('AWS::DynamoDB::Table', kept);
  synthesize({ ephemeral: 'true' }).hasResource('AWS::DynamoDB::Table', gone);
});

test('functions run on Node 24 on arm64, or on x86_64 where that is asked for', () => {
  const functionCount = endpoints.length + 1;
  const arm = { Runtime: 'nodejs24.x', Architectures: ['arm64'] };
  const x86 = { Runtime: 'nodejs24.x', Architectures: ['x86_64'] };
  template.resourcePropertiesCountIs('AWS::Lambda::Function', arm, functionCount);
  synthesize({ architecture: 'x86_64' }).resourcePropertiesCountIs('AWS::Lambda::Function', x86, functionCount);
  expect(() => synthesize({ architecture: 'vax' })).toThrow('"vax"');
});

test('a function is given the variables that it reads', () => {
  for (const { route, declaration } of endpoints) {
    const { body, bodyLimitVariable } = declaration;
    const limits = body === undefined ? [] : ['BODY_LIMIT_BYTES', bodyLimitVariable ?? []].flat();
    const variables = functionBehind(template, route)?.Properties.Environment?.Variables ?? {};
    expect(Object.keys(variables).toSorted(), route).toEqual(
      [...limits, 'DYNAMODB_ENDPOINT', 'LOG_LEVEL', 'TABLE_NAME'].toSorted(),
    );
  }
});

test('the stack fits what CloudFormation takes', () => {
  expect(resourcesOf(template).size).toBeLessThanOrEqual(resourcesMax);
});
