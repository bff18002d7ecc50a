import { expect, test } from 'vitest';
import { prepareStore } from '../../../lib/imports/seed/fresh-store.ts';
import type { Request } from '../../../lib/request.ts';
import { configureRestoredTable } from '../../../lib/store/client/tables.ts';
import { dynamoDbTable } from '../../harness/dynamodb-table.ts';
import { beforeRequests } from '../../harness/store-requests.ts';
import { giveBackups } from '../backups.ts';
import { synthesize, synthesizeFew } from '../synthesize.ts';
import { actionsOf, type Resource, resourcesOf, statementsOf, theOnly } from '../template.ts';

const { main: template } = synthesize();
const { main: restored } = synthesizeFew({ tableName: 'flagstaff-restored' });

type Template = typeof template;

const preparing = (of: Template) => {
  const found = [...resourcesOf(of, 'AWS::Lambda::Function')].filter(([id]) => id.startsWith('PreparedStore'));
  expect(found).toHaveLength(1);
  return found[0] as [string, Resource];
};
const tableActionsOf = (of: Template) =>
  actionsOf(statementsOf(of, preparing(of)[1])).filter((action) => action.startsWith('dynamodb:'));

/** Returns the rights that a function needs for an action on a table, as a policy names them. */
async function rightsUsedBy(action: (table: Request) => Promise<unknown>) {
  const table = await dynamoDbTable();
  const used = new Set<string>();
  beforeRequests(table, (input, operation) => {
    const { TransactItems } = input as { TransactItems?: readonly object[] };
    const names = TransactItems?.flatMap((item) => Object.keys(item)) ?? [operation];
    for (const name of names) used.add(`dynamodb:${name.replace(/^(ConditionCheck|Put|Update|Delete)$/, '$1Item')}`);
  });
  await action(table);
  return used;
}

test('the function may only read and add items of the table, and write its own log', () => {
  const [, handler] = preparing(template);
  const statements = statementsOf(template, handler).map(({ Action, Resource }) => ({ Action, Resource }));
  const [table] = resourcesOf(template, 'AWS::DynamoDB::Table').keys();
  const arn = { 'Fn::GetAtt': [table, 'Arn'] };
  expect(statements).toEqual([
    {
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [handler.Properties.LoggingConfig?.LogGroup.Ref, 'Arn'] },
    },
    {
      Action: [
        'dynamodb:BatchGetItem',
        'dynamodb:ConditionCheckItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:UpdateItem',
      ],
      Resource: [arn, { 'Fn::Join': ['', [arn, '/index/eventLog']] }],
    },
  ]);
});

test('its rights on the table are those that preparing a store needs', async () => {
  const used = await rightsUsedBy(async (table) => {
    await prepareStore(table, { adminTokens: [] });
    await prepareStore(table, { adminTokens: [] });
  });
  expect([...used].toSorted()).toEqual(tableActionsOf(template).toSorted());
});

test('its rights on a restored table are those that preparing and protecting it needs', async () => {
  const used = await rightsUsedBy(async (table) => {
    giveBackups(table);
    await configureRestoredTable(table, { deletionProtection: false, maxReadUnits: 100, maxWriteUnits: 100 });
    await prepareStore(table, { adminTokens: [] });
  });
  expect([...used].toSorted()).toEqual(tableActionsOf(restored).toSorted());
});

test('the custom resource changes with the table and the migrations only, and never waits for an hour', () => {
  const [id] = preparing(template);
  expect(theOnly(template, 'Custom::PreparedStore').Properties).toEqual({
    ServiceToken: { 'Fn::GetAtt': [id, 'Arn'] },
    ServiceTimeout: '1200',
    TableName: { Ref: expect.stringMatching(/^Table/) },
    Migrations: expect.stringMatching(/^\d+$/),
  });
});

test("a restored table gets the protection of the stack's own tables from the properties of the custom resource", () => {
  expect(theOnly(restored, 'Custom::PreparedStore').Properties).toMatchObject({
    TableName: 'flagstaff-restored',
    DeletionProtection: 'true',
    MaxReadUnits: '10000',
    MaxWriteUnits: '10000',
  });
});

test('a stack on a restored table creates no table, and every function opens the restored one', () => {
  const { whole } = synthesizeFew({ tableName: 'flagstaff-restored' });
  expect(resourcesOf(whole, 'AWS::DynamoDB::Table').size).toBe(0);
  const names = [...resourcesOf(whole, 'AWS::Lambda::Function').values()].map(
    ({ Properties }) => Properties.Environment?.Variables.TABLE_NAME,
  );
  expect(new Set(names)).toEqual(new Set(['flagstaff-restored']));
  whole.hasOutput('TableName', { Value: 'flagstaff-restored' });
  const targets = statementsOf(whole).filter((each) => actionsOf([each]).some((it) => it.startsWith('dynamodb:')));
  for (const { Resource } of targets) expect(JSON.stringify(Resource)).toContain('table/flagstaff-restored');
});

test('the function can be called when it exists, since its rights are created before it', () => {
  const { DependsOn } = preparing(template)[1] as unknown as { DependsOn: string[] };
  const rights = [...resourcesOf(template, 'AWS::IAM::Policy').keys()].filter((id) => id.startsWith('PreparedStore'));
  expect(DependsOn).toEqual(expect.arrayContaining(rights));
});

test('data are migrated after every function is of the release that can read them', () => {
  const folders = [...resourcesOf(template, 'AWS::CloudFormation::Stack').keys()];
  expect(folders.length).toBeGreaterThan(5);
  const { DependsOn } = theOnly(template, 'Custom::PreparedStore') as unknown as { DependsOn: string[] };
  expect(DependsOn).toEqual(expect.arrayContaining(folders));
});

test('no secret is created or named: operators create the first token', () => {
  const types = [...resourcesOf(synthesize().whole).values()].map(({ Type }) => Type);
  expect(types.filter((type) => /SecretsManager|SSM/.test(type))).toEqual([]);
});
