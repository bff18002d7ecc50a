import { expect, test } from 'vitest';
import { keeping, ofAccount, synthesize, synthesizeFew } from '../synthesize.ts';
import { actionsOf, type Resource, resourcesOf, statementsOf, targetsOf, theOnly } from '../template.ts';

const { encryptionKeyArn, tags, permissionsBoundary } = ofAccount;

test('a key of the account encrypts the table, and every role that uses the table may use the key, through DynamoDB only', () => {
  const { whole } = synthesizeFew({ encryptionKeyArn });
  expect(theOnly(whole, 'AWS::DynamoDB::Table').Properties.SSESpecification).toEqual({
    SSEEnabled: true,
    SSEType: 'KMS',
    KMSMasterKeyId: encryptionKeyArn,
  });
  const writes = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'];
  for (const handler of resourcesOf(whole, 'AWS::Lambda::Function').values()) {
    const statements = statementsOf(whole, handler);
    const actions = actionsOf(statements);
    const onKey = statements.filter((each) => actionsOf([each]).some((action) => action.startsWith('kms:')));
    const used = new Set(actionsOf(onKey));
    expect(used.has('kms:Decrypt'), handler.Properties.Description).toBe(true);
    expect(used.has('kms:GenerateDataKey')).toBe(writes.some((action) => actions.includes(action)));
    expect(new Set(targetsOf(onKey))).toEqual(new Set([encryptionKeyArn]));
    for (const each of onKey) expect(JSON.stringify(each)).toMatch(/"kms:ViaService":.*"dynamodb\."/);
  }
});

test('a restored table with a key is used with the key, too', () => {
  const { whole } = synthesizeFew({ encryptionKeyArn, tableName: 'restored' });
  expect(targetsOf(statementsOf(whole))).toContain(encryptionKeyArn);
});

/** The resources that AWS lets nobody tag. */
const untagged = new Set([
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::IAM::Policy',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Url',
  'AWS::Logs::MetricFilter',
  'AWS::SNS::Subscription',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::TopicPolicy',
  'Custom::PreparedStore',
]);

/** The tags of a resource; some services take a list, others an object. */
const tagsOf = ({ Properties: { Tags = [] } }: Resource) =>
  Array.isArray(Tags) ? Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])) : Tags;

test('every resource that can have tags gets those of the deployment', () => {
  const { whole } = synthesizeFew({ tags, sdkConcurrency: '20', ...keeping });
  for (const [id, resource] of resourcesOf(whole)) {
    const wanted = untagged.has(resource.Type) ? {} : { team: 'flags', 'cost center': '42' };
    expect(tagsOf(resource), `${resource.Type} ${id}`).toEqual(wanted);
  }
});

test('a permissions boundary applies to every role', () => {
  const { whole } = synthesize({ permissionsBoundary });
  for (const { Properties } of resourcesOf(whole, 'AWS::IAM::Role').values()) {
    expect(Properties.PermissionsBoundary).toEqual({
      'Fn::Join': ['', expect.arrayContaining([':policy/flags-boundary'])],
    });
  }
});
