import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareStore as prepareStoreName } from '../../infra/entry-points.ts';
import { FirstToken } from '../../infra/first-token.ts';
import { settingsOf } from '../../infra/settings.ts';
import { createTable } from '../../infra/table.ts';
import { prepareStore } from '../../lib/seed/fresh-store.ts';
import { freshTable } from '../harness/table.ts';
import { actionsOf, resourcesOf, statementsOf } from './template.ts';

let bundles: string;
let template: Template;

function synthesize(context: Record<string, unknown> = {}): Template {
  const app = new App({
    context: { 'aws:cdk:disable-asset-staging': true, ...context },
    // The CDK's own look at a template takes seconds and only warns; `npm run synth` has it.
    builtinCloudFormationValidation: false,
  });
  const stack = new Stack(app, 'Test');
  const settings = settingsOf(stack);
  new FirstToken(stack, 'FirstToken', { table: createTable(stack, settings), bundles, settings });
  return Template.fromStack(stack);
}

beforeAll(() => {
  bundles = mkdtempSync(join(tmpdir(), 'flagstaff-bundles-'));
  mkdirSync(join(bundles, prepareStoreName));
  template = synthesize();
});

afterAll(() => rmSync(bundles, { recursive: true }));

const onlyIdOf = (type: string) => {
  const [id, ...others] = resourcesOf(template, type).keys();
  expect(others).toEqual([]);
  return id;
};

test('the secret is made where it is deployed, of letters and digits with more than 128 random bits', () => {
  const [secret] = resourcesOf(template, 'AWS::SecretsManager::Secret').values();
  expect(secret?.Properties).not.toHaveProperty('SecretString');
  const { PasswordLength = 0, ExcludeCharacters = '' } = (secret?.Properties.GenerateSecretString ?? {}) as {
    readonly PasswordLength?: number;
    readonly ExcludeCharacters?: string;
  };
  expect(secret?.Properties.GenerateSecretString).toMatchObject({ ExcludePunctuation: true });
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));
  const left = printable.filter((character) => !ExcludeCharacters.includes(character));
  expect(left.join('')).toMatch(/^[0-9A-Za-z]{62}$/);
  expect(PasswordLength * Math.log2(left.length)).toBeGreaterThan(128);
});

test('the secret survives its stack, as the table does, unless it is ephemeral', () => {
  const type = 'AWS::SecretsManager::Secret';
  template.hasResource(type, { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  synthesize({ ephemeral: 'true' }).hasResource(type, { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' });
});

test('no part of the template but the right, the variable, the property and the output names the secret, and none its value', () => {
  const secret = onlyIdOf('AWS::SecretsManager::Secret');
  const text = JSON.stringify(template.toJSON());
  expect(text).not.toContain('resolve:secretsmanager');
  expect(text.split(`{"Ref":"${secret}"}`)).toHaveLength(5);
});

test('the function may read this secret, see and add items of this table, and write its own log: nothing else', () => {
  const statements = statementsOf(template);
  expect(statements.map(({ Action, Resource }) => ({ Action, Resource }))).toEqual([
    {
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [onlyIdOf('AWS::Logs::LogGroup'), 'Arn'] },
    },
    {
      Action: ['dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
      Resource: expect.arrayContaining([{ 'Fn::GetAtt': [onlyIdOf('AWS::DynamoDB::Table'), 'Arn'] }]),
    },
    { Action: 'secretsmanager:GetSecretValue', Resource: { Ref: onlyIdOf('AWS::SecretsManager::Secret') } },
  ]);
  const [role] = resourcesOf(template, 'AWS::IAM::Role').values();
  expect(role?.Properties.ManagedPolicyArns).toBeUndefined();
});

test('the rights on the table are those that preparing a store takes', async () => {
  const table = await freshTable();
  const used = new Set<string>();
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        const { TransactItems } = args.input as { TransactItems?: readonly object[] };
        const names = TransactItems?.flatMap((item) => Object.keys(item)) ?? [commandName.replace(/Command$/, '')];
        for (const name of names) used.add(`dynamodb:${name.replace(/(Item)?$/, name === 'Query' ? '' : 'Item')}`);
        return next(args);
      },
    { step: 'initialize' },
  );
  await prepareStore(table, { adminTokens: ['*:*.0123456789abcdef'] });
  await prepareStore(table, { adminTokens: ['*:*.0123456789abcdef'] });

  const granted = actionsOf(statementsOf(template)).filter((action) => action.startsWith('dynamodb:'));
  expect([...used].toSorted()).toEqual(granted.toSorted());
});

test('the function is told its table and its secret, and has a log group of its own', () => {
  template.hasResourceProperties('AWS::Lambda::Function', {
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Environment: {
      Variables: {
        TABLE_NAME: { Ref: onlyIdOf('AWS::DynamoDB::Table') },
        FIRST_TOKEN_SECRET: { Ref: onlyIdOf('AWS::SecretsManager::Secret') },
      },
    },
    LoggingConfig: { LogGroup: { Ref: onlyIdOf('AWS::Logs::LogGroup') } },
  });
});

test('the custom resource changes with the table and the secret only, and never waits for an hour', () => {
  const [prepared] = resourcesOf(template, 'Custom::PreparedStore').values();
  expect(prepared?.Properties).toEqual({
    ServiceToken: { 'Fn::GetAtt': [onlyIdOf('AWS::Lambda::Function'), 'Arn'] },
    ServiceTimeout: '300',
    TableName: { Ref: onlyIdOf('AWS::DynamoDB::Table') },
    SecretArn: { Ref: onlyIdOf('AWS::SecretsManager::Secret') },
  });
});

test('the function is ready to be called when it exists: its rights come before it', () => {
  template.hasResource('AWS::Lambda::Function', {
    DependsOn: Match.arrayWith([onlyIdOf('AWS::IAM::Policy'), onlyIdOf('AWS::IAM::Role')]),
  });
});

test('deploying the same again changes nothing: the template is the same each time', () => {
  expect(synthesize().toJSON()).toEqual(template.toJSON());
});

test('an output says which secret it is', () => {
  template.hasOutput('FirstTokenSecret', { Value: { Ref: onlyIdOf('AWS::SecretsManager::Secret') } });
});
