import type { GlobalSecondaryIndexDescription } from '@aws-sdk/client-dynamodb';
import { expect, test, vi } from 'vitest';
import { functionOf, listEndpoints } from '../../../infra/deployed-endpoints.ts';
import { insecureLocalToken } from '../../../infra/local/insecure-token.ts';
import { routeKeyOf, routesTo } from '../../../infra/routes.ts';
import { clockWork } from '../../../lib/clock/clock.ts';
import { readsOf } from '../../../lib/http/declaration.ts';
import { tableDefinition } from '../../../lib/store/client/definition.ts';
import { freshTable } from '../../harness/table.ts';
import { addressedFolders, deployedRoutes, joinedFolders } from '../deployed-routes.ts';
import { checkpointKeyArn, chosen, keeping, synthesize, synthesizeEndpoints, synthesizeFew } from '../synthesize.ts';
import {
  actionsOf,
  functionBehind,
  functionsOfRoutes,
  type Resource,
  resourcesOf,
  statementsOf,
  theOnly,
} from '../template.ts';

const { main, nested, whole: template } = synthesize();
const { whole: ephemeral } = synthesizeFew({ ephemeral: 'true' });

test('every endpoint has a route to its own function, or to that of its folder', () => {
  const functions = deployedRoutes.map(({ folder, declaration, route }) => {
    const behind = functionBehind(template, route);
    const description = joinedFolders.includes(folder)
      ? `Answers the requests to the endpoints of functions/${folder}.`
      : declaration.summary;
    expect(behind?.Properties.Description, route).toBe(description);
    return behind;
  });
  const ofTheirOwn = listEndpoints().filter(({ folder }) => !joinedFolders.includes(folder));
  expect(new Set(functions).size).toBe(ofTheirOwn.length + joinedFolders.length);
});

/** The documented quotas of CloudFormation, API Gateway, Lambda and IAM; some can be raised. */
const quotas = {
  routes: 300,
  integrations: 300,
  resourcesOfStack: 500,
  templateBytes: 1_000_000,
  parametersOfStack: 200,
  outputsOfStack: 200,
  rolesOfAccount: 1_000,
  policyBytesOfFunction: 20_480,
  variableBytesOfFunction: 4_096,
};

test.each(['many', 'few'])(
  "with %s functions, nothing uses more than nine tenths of AWS's default quotas",
  (functions) => {
    const synthesized = synthesize(functions === 'few' ? { functions } : {});
    const { whole } = synthesized;
    const templates = [synthesized.main, ...synthesized.nested.values()];
    const largest = (sizeOf: (each: typeof template) => number) => Math.max(...templates.map(sizeOf));
    const countOf = (type: string) => resourcesOf(whole, type).size;
    const namesIn = (each: typeof template, section: string) => Object.keys(each.toJSON()[section] ?? {}).length;
    const permissions = [...resourcesOf(whole, 'AWS::Lambda::Permission').values()];
    const rights = Map.groupBy(permissions, ({ Properties }) => JSON.stringify(Properties.FunctionName));
    // A statement of such a policy has the ARNs of the function and of the route in full.
    const statementBytes = 600;
    const variables = [...resourcesOf(whole, 'AWS::Lambda::Function').values()].map(
      ({ Properties }) => JSON.stringify(Properties.Environment?.Variables ?? {}).length,
    );
    const taken: Readonly<Record<keyof typeof quotas, number>> = {
      routes: countOf('AWS::ApiGatewayV2::Route'),
      integrations: countOf('AWS::ApiGatewayV2::Integration'),
      resourcesOfStack: largest((each) => resourcesOf(each).size),
      templateBytes: largest((each) => JSON.stringify(each.toJSON()).length),
      parametersOfStack: largest((each) => namesIn(each, 'Parameters')),
      outputsOfStack: largest((each) => namesIn(each, 'Outputs')),
      rolesOfAccount: countOf('AWS::IAM::Role'),
      policyBytesOfFunction: Math.max(...[...rights.values()].map((each) => each.length * statementBytes)),
      variableBytesOfFunction: Math.max(...variables),
    };
    for (const [name, quota] of Object.entries(quotas)) {
      expect(taken[name as keyof typeof quotas], `${name}, of which there are ${quota}`).toBeLessThanOrEqual(
        0.9 * quota,
      );
    }
  },
);

test('the default number of routes is enough for 450 operations', () => {
  const routes = resourcesOf(template, 'AWS::ApiGatewayV2::Route').size;
  const folders = joinedFolders.length;
  const ofJoined = new Set(
    deployedRoutes.filter(({ folder }) => joinedFolders.includes(folder)).map(({ route }) => route),
  );
  // New folders are one function each, with some ten endpoints.
  const toCome = ((450 - listEndpoints().length) / 10) * (ofJoined.size / folders);
  expect(routes + toCome).toBeLessThanOrEqual(quotas.routes);
});

test('each folder has a stack', () => {
  expect(new Set(nested.keys())).toEqual(
    new Set([...deployedRoutes.map(({ folder }) => folder), 'sending', 'schedules']),
  );
});

test('each endpoint may be called by each of its routes, and each folder has a log group and at most two roles', () => {
  const countOf = (type: string) => resourcesOf(template, type).size;
  // And two rules call each of the two functions in the background.
  expect(countOf('AWS::Lambda::Permission')).toBe(countOf('AWS::ApiGatewayV2::Route') + 4);
  // One more that prepares the store, with a log group and a role of its own; one log group more for the API's access.
  expect(countOf('AWS::Logs::LogGroup')).toBe(nested.size + 3);
  expect(countOf('AWS::IAM::Role')).toBeLessThanOrEqual(2 * nested.size + 2);
});

test('the functions of SDKs have function URLs only if their concurrency is reserved', () => {
  expect(resourcesOf(template, 'AWS::Lambda::Url').size).toBe(0);
  const bounded = synthesizeFew({ sdkConcurrency: '20' });
  const urls = [...resourcesOf(bounded.whole, 'AWS::Lambda::Url').values()];
  // Anybody may ask them: they check the token themselves.
  expect(urls.map(({ Properties }) => Properties.AuthType)).toEqual(addressedFolders.map(() => 'NONE'));
  for (const name of ['ClientUrl', 'FrontendUrl']) expect(Object.keys(bounded.main.findOutputs(name))).toEqual([name]);
  const reserved = functionsOfRoutes(bounded.whole).map(({ Properties }) => Properties.ReservedConcurrentExecutions);
  expect(reserved.filter((each) => each === 20)).toHaveLength(addressedFolders.length);
  expect(new Set(reserved)).toEqual(new Set([undefined, 20]));
});

test('every route leads to an endpoint, except one for requests without an endpoint', () => {
  const routes = [...resourcesOf(template, 'AWS::ApiGatewayV2::Route').values()];
  const expected = [...new Set(deployedRoutes.map(({ route }) => route)), '$default'];
  expect(routes.map(({ Properties }) => Properties.RouteKey).toSorted()).toEqual(expected.toSorted());
  expect(functionBehind(template, '$default')?.Properties.Description).toBe('Answers requests that no route matches.');
});

test('the functions of a folder share a log group, which keeps lines for 90 days', () => {
  for (const [folder, each] of [...nested, ['main', main]] as const) {
    const functions = [...resourcesOf(each, 'AWS::Lambda::Function')].filter(([id]) => !id.startsWith('PreparedStore'));
    const [name, ...others] = new Set(functions.map(([, { Properties }]) => Properties.LoggingConfig?.LogGroup.Ref));
    expect(others, folder).toEqual([]);
    const logGroup = resourcesOf(each, 'AWS::Logs::LogGroup').get(name ?? '');
    expect(logGroup?.Properties.RetentionInDays, folder).toBe(90);
  }
});

test('Lambda writes no line for a successful call, and filters no line of a function', () => {
  for (const { Properties } of functionsOfRoutes(template)) {
    expect(Properties.LoggingConfig).toMatchObject({
      LogFormat: 'JSON',
      SystemLogLevel: 'WARN',
      ApplicationLogLevel: 'TRACE',
    });
  }
});

test('every log group keeps lines for as long as the context sets', () => {
  const { whole } = synthesizeFew(chosen);
  const logGroups = [...resourcesOf(whole, 'AWS::Logs::LogGroup').values()];
  expect(logGroups.length).toBeGreaterThan(3);
  expect(new Set(logGroups.map(({ Properties }) => Properties.RetentionInDays))).toEqual(new Set([30]));
});

test('functions run on Node 24 on arm64, or on x86_64 if that is set', () => {
  const { whole: x86 } = synthesizeFew(chosen);
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

test('no concurrency is reserved by default, and with the setting for each function behind a route', () => {
  const reserved = (of: typeof template) =>
    functionsOfRoutes(of).map(({ Properties }) => Properties.ReservedConcurrentExecutions);
  expect(new Set(reserved(template))).toEqual(new Set([undefined]));
  expect(new Set(reserved(synthesizeFew(chosen).whole))).toEqual(new Set([5]));
});

test('more concurrency than the account can reserve is refused before anything is deployed', () => {
  expect(() => synthesizeFew({ reservedConcurrency: '5', concurrencyLimit: '104' })).toThrow(
    /^reservedConcurrency 5 for each of \d+ functions .* reserve \d+ executions\. The account may have 104 .* reserve the last 100\./,
  );
  expect(() => synthesizeFew({ sdkConcurrency: '3', concurrencyLimit: '105' })).toThrow(
    'sdkConcurrency 3 for each of 2 reserve 6 executions',
  );
});

test('a function gets the variables that all endpoints read, and those that its own endpoints declare', () => {
  const always = [
    ...['BODY_LIMIT_BYTES', 'DYNAMODB_ENDPOINT', 'FRONTEND_API_ORIGINS', 'LOG_LEVEL'],
    ...['METRICS_GROUP', 'METRICS_NAMESPACE', 'PUBLIC_URL', 'TABLE_NAME', 'TRUSTED_PROXIES'],
  ];
  const variablesOf = (route: string) =>
    Object.keys(functionBehind(template, route)?.Properties.Environment?.Variables ?? {}).toSorted();
  expect(variablesOf('ANY /api/client/{proxy+}')).toEqual(always);
  expect(variablesOf('ANY /api/frontend')).toEqual(always);
  expect(variablesOf('$default')).toEqual(
    [...always, 'CONSOLE', 'CONSOLE_DIRECTORY', 'EMAIL_SENDER', 'FLAGSTAFF_COMMIT'].toSorted(),
  );
  for (const [name, members] of Map.groupBy(deployedRoutes, (each) => functionOf(each))) {
    const ofEndpoints = new Set(members.flatMap(({ declaration }) => readsOf(declaration)));
    const ofPath = members.some(({ operationId, declaration }) => operationId === name && declaration.method === 'GET');
    const expected = [...always, ...ofEndpoints, ...(ofPath ? ['ALLOW'] : [])].toSorted();
    for (const { route } of members) expect(variablesOf(route), route).toEqual(expected);
  }
});

test.each([
  ['API_TOKENS_LIMIT', 'API_TOKENS_LIMIT', '10', 'edgeCreateOrReturnTokens'],
  ['READABLE_CLIENT_TOKENS', 'readableClientTokens', 'true', 'edgeCreateOrReturnTokens'],
  ['FRONTEND_API_ORIGINS', 'FRONTEND_API_ORIGINS', 'https://shop.example.com', 'getUiConfig'],
])('the setting %s reaches a function of another folder that reads it', (variable, choice, value, operationId) => {
  const endpoints = listEndpoints().filter((each) => each.operationId === operationId);
  const { whole } = synthesizeEndpoints(endpoints, { [choice]: value });
  const [route] = endpoints.flatMap((each) => routesTo(each, endpoints)).map(routeKeyOf);
  expect(functionBehind(whole, route ?? '')?.Properties.Environment?.Variables).toMatchObject({ [variable]: value });
});

test('the table on AWS has the keys and indexes of the local one', async () => {
  const local = (await freshTable()).store;
  const { Table } = await local.client.send('DescribeTable', { TableName: local.name });
  const deployed = theOnly(template, 'AWS::DynamoDB::Table');
  for (const part of ['KeySchema', 'AttributeDefinitions', 'LocalSecondaryIndexes'] as const) {
    expect(deployed.Properties[part], part).toEqual(Table?.[part]);
  }
  const definitionOf = ({ IndexName, KeySchema, Projection }: GlobalSecondaryIndexDescription) => ({
    ...{ IndexName, KeySchema, Projection },
  });
  expect((deployed.Properties.GlobalSecondaryIndexes as GlobalSecondaryIndexDescription[]).map(definitionOf)).toEqual(
    Table?.GlobalSecondaryIndexes?.map(definitionOf),
  );
  expect(deployed.Properties.KeySchema).toEqual([
    { AttributeName: tableDefinition.partitionKey, KeyType: 'HASH' },
    { AttributeName: tableDefinition.sortKey, KeyType: 'RANGE' },
  ]);
});

test('the table has a time to live and point-in-time recovery, is encrypted, and is billed per request', () => {
  template.hasResourceProperties('AWS::DynamoDB::Table', {
    TimeToLiveSpecification: { AttributeName: tableDefinition.timeToLive, Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    SSESpecification: { SSEEnabled: true },
    BillingMode: 'PAY_PER_REQUEST',
  });
});

test('the table has a maximum of 10,000 units of each kind a second, or as many as the context sets', () => {
  const maximaOf = (of: typeof template) => theOnly(of, 'AWS::DynamoDB::Table').Properties.OnDemandThroughput;
  expect(maximaOf(template)).toEqual({ MaxReadRequestUnits: 10_000, MaxWriteRequestUnits: 10_000 });
  const { whole } = synthesizeFew(chosen);
  expect(maximaOf(whole)).toEqual({ MaxReadRequestUnits: 200, MaxWriteRequestUnits: 100 });
});

test('the table and the logs survive their stack, unless it is ephemeral or its first deployment fails', () => {
  const kept = { DeletionPolicy: 'RetainExceptOnCreate', Properties: { DeletionProtectionEnabled: true } };
  const gone = { DeletionPolicy: 'Delete', Properties: { DeletionProtectionEnabled: false } };
  expect(theOnly(template, 'AWS::DynamoDB::Table')).toMatchObject(kept);
  expect(theOnly(ephemeral, 'AWS::DynamoDB::Table')).toMatchObject(gone);
  const policies = (logGroups: ReadonlyMap<string, Resource>) =>
    new Set([...logGroups.values()].map(({ DeletionPolicy }) => DeletionPolicy));
  expect(policies(resourcesOf(template, 'AWS::Logs::LogGroup'))).toEqual(new Set(['RetainExceptOnCreate']));
  expect(policies(resourcesOf(ephemeral, 'AWS::Logs::LogGroup'))).toEqual(new Set(['Delete']));
});

test('templates are plain ASCII, since CloudFormation replaces other characters and would see a change each time', () => {
  for (const each of [main, ...nested.values()]) expect(JSON.stringify(each.toJSON())).toMatch(/^[ -~]*$/);
});

test('deleting an ephemeral stack leaves nothing behind', () => {
  const kept = [...resourcesOf(ephemeral)].filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'));
  expect(kept.map(([id]) => id)).toEqual([]);
});

test('the insecure local token is in no template', () => {
  const [, secret = ''] = insecureLocalToken.split('.');
  expect(secret.length).toBeGreaterThan(10);
  for (const each of [template, ephemeral]) expect(JSON.stringify(each.toJSON())).not.toContain(secret);
});

test('an item that keeps the clock on also turns it on', () => {
  vi.stubEnv('EMAIL_SENDER', 'flags@example.com');
  const clock = nested.get('schedules');
  const { Properties } = theOnly(clock ?? template, 'AWS::Lambda::EventSourceMapping');
  const filters = JSON.stringify(Properties.FilterCriteria);
  const waiting = clockWork.flatMap(({ listWaiting }) => listWaiting()).map(({ pk }) => pk);
  expect(waiting).toContain('MAILS');
  expect(waiting.filter((pk) => !filters.includes(`\\"prefix\\":\\"${pk}\\"`))).toEqual([]);
});

test('alarms call the function of the clock if their names begin with the chosen text, without any further right', () => {
  const { nested: chosenStacks } = synthesizeFew({ safeguardAlarms: 'shop-' });
  const stack = chosenStacks.get('schedules') ?? template;
  const rules = [...resourcesOf(stack, 'AWS::Events::Rule').values()].map(({ Properties }) => Properties);
  expect(rules.filter(({ EventPattern }) => EventPattern !== undefined)).toMatchObject([
    {
      EventPattern: {
        source: ['aws.cloudwatch'],
        'detail-type': ['CloudWatch Alarm State Change'],
        detail: { alarmName: [{ prefix: 'shop-' }] },
      },
    },
  ]);
  expect(JSON.stringify(stack.toJSON())).not.toContain('cloudwatch:');
  expect(JSON.stringify(template.toJSON())).not.toContain('Alarm State Change');
});

test('a key of KMS signs checkpoints if that is set, and only the clock may use it', () => {
  const { whole } = synthesizeFew({ checkpointKeyArn });
  const variables = [...resourcesOf(whole, 'AWS::Lambda::Function').values()].map(
    ({ Properties }) => Properties.Environment?.Variables?.CHECKPOINT_KEY,
  );
  expect(variables.filter((value) => value !== undefined)).toEqual([checkpointKeyArn]);
  const policies = [...resourcesOf(whole, 'AWS::IAM::Policy').values()].map((policy) => JSON.stringify(policy));
  const signing = policies.filter((text) => text.includes('kms:Sign'));
  expect(signing).toHaveLength(1);
  expect(signing[0]).toContain(
    JSON.stringify({ Action: ['kms:GetPublicKey', 'kms:Sign'], Effect: 'Allow', Resource: checkpointKeyArn }),
  );
});

test('a bucket keeps checkpoints if that is chosen: nobody can alter or delete them, and it outlives the stack', () => {
  const { main: keepingStack, whole } = synthesizeFew(keeping);
  const [[id, bucket]] = [...resourcesOf(keepingStack, 'AWS::S3::Bucket')] as [[string, Resource]];
  expect(bucket).toMatchObject({
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 365 } },
      },
      VersioningConfiguration: { Status: 'Enabled' },
      PublicAccessBlockConfiguration: {
        ...{ BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true },
      },
    },
  });
  expect(theOnly(keepingStack, 'AWS::S3::BucketPolicy').Properties.PolicyDocument?.Statement).toMatchObject([
    { Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
  ]);
  expect(Object.values(keepingStack.findOutputs('CheckpointBucketName'))).toEqual([{ Value: { Ref: id } }]);

  const onS3 = statementsOf(whole).filter((each) => actionsOf([each]).some((action) => action.startsWith('s3:')));
  expect(onS3).toEqual([
    {
      ...{ Effect: 'Allow', Action: 's3:PutObject' },
      Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': [id, 'Arn'] }, '/checkpoints/*']] },
      Condition: { Null: { 's3:if-none-match': 'false' } },
    },
  ]);
  const buckets = [...resourcesOf(whole, 'AWS::Lambda::Function').values()].map(
    ({ Properties }) => Properties.Environment?.Variables?.CHECKPOINT_BUCKET,
  );
  expect(buckets.filter((value) => value !== undefined)).toEqual([{ Ref: id }]);
  const without = JSON.stringify(synthesizeFew({ checkpointKeyArn }).whole.toJSON());
  expect(without).not.toMatch(/AWS::S3::|s3:|CHECKPOINT_BUCKET/);
});

test('a move to another table changes the rules of the clocks, which turns them on', () => {
  // CloudFormation leaves a rule alone that its function has turned off, unless the template changes it.
  const clocksOf = (context: Readonly<Record<string, string>>) =>
    [...resourcesOf(synthesizeFew(context).whole, 'AWS::Events::Rule').values()]
      .filter(({ Properties }) => Properties.ScheduleExpression === 'rate(1 minute)')
      .map(({ Properties }) => Properties.Description);
  const all = [{}, { tableName: 'restored' }, { tableName: 'again' }].flatMap(clocksOf);
  expect(new Set(all).size).toBe(6);
});

test('the clock and the stream call the background functions, one of which can be omitted', () => {
  const rules = [...resourcesOf(template, 'AWS::Events::Rule').values()].map(({ Properties }) => Properties);
  expect(rules.filter(({ ScheduleExpression }) => ScheduleExpression === 'rate(1 minute)')).toHaveLength(2);
  const reminders = rules.filter(({ Name }) => Name === undefined);
  expect(reminders.map(({ ScheduleExpression }) => ScheduleExpression).toSorted()).toEqual([
    'rate(1 day)',
    'rate(1 hour)',
  ]);
  for (const { Targets } of reminders) expect(Targets).toMatchObject([{ Input: '{"Records":[]}' }]);
  const doorbells = [...resourcesOf(template, 'AWS::Lambda::EventSourceMapping').values()];
  // At most two functions may read a stream of DynamoDB.
  expect(doorbells).toHaveLength(2);
  for (const { Properties } of doorbells)
    expect(Properties).toMatchObject({ StartingPosition: 'TRIM_HORIZON', BatchSize: 100 });
  expect(theOnly(template, 'AWS::DynamoDB::Table').Properties.StreamSpecification).toEqual({
    StreamViewType: 'KEYS_ONLY',
  });
  const { nested: without } = synthesizeFew({ integrations: 'off' });
  expect(without.has('sending')).toBe(false);
  const { whole: restored } = synthesizeFew({ tableName: 'restored' });
  expect(resourcesOf(restored, 'AWS::Lambda::EventSourceMapping').size).toBe(0);
  expect(resourcesOf(restored, 'AWS::Events::Rule').size).toBe(2);
});
