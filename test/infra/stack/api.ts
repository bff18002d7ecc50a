import { expect, test } from 'vitest';
import { isOfSdks } from '../../../lib/http/declaration.ts';
import { deployedRoutes } from '../deployed-routes.ts';
import { chosen, synthesize, synthesizeFew } from '../synthesize.ts';
import { resourcesOf, theOnly } from '../template.ts';

const { main, whole: template } = synthesize();
const stage = theOnly(template, 'AWS::ApiGatewayV2::Stage');

test('all routes together accept 500 calls a second, or as many as the context sets', () => {
  const limits = (rate: number, burst: number) => ({
    DefaultRouteSettings: { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
  });
  expect(stage.Properties).toMatchObject(limits(500, 500));
  const { whole } = synthesizeFew(chosen);
  expect(theOnly(whole, 'AWS::ApiGatewayV2::Stage').Properties).toMatchObject(limits(50, 80));
});

test('a route accepts fewer calls if its declaration says so, those of SDKs accept more, and no other has its own limit', () => {
  const throttled = deployedRoutes.flatMap(({ declaration, route }) => {
    const { throttle = isOfSdks(declaration) ? { ratePerSecond: 1_000, burst: 5_000 } : undefined } = declaration;
    if (throttle === undefined) return [];
    const { ratePerSecond, burst } = throttle;
    return [[route, { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst }] as const];
  });
  expect(throttled.map(([route]) => route)).toEqual(
    expect.arrayContaining([
      'POST /api/admin/features-batch/import',
      'ANY /api/admin/archive/features/{projectId}',
      'ANY /docs/openapi.json',
      'ANY /docs/{file}',
    ]),
  );
  expect(stage.Properties.RouteSettings).toEqual(Object.fromEntries(throttled));
});

test('the settings of a route are created after the route, which AWS would not find otherwise', () => {
  const settings = Object.keys(stage.Properties.RouteSettings as object);
  const { DependsOn: before } = theOnly(main, 'AWS::ApiGatewayV2::Stage') as unknown as { DependsOn: string[] };
  const routes = [...resourcesOf(template, 'AWS::ApiGatewayV2::Route')];
  for (const key of settings) {
    const [id = ''] = routes.find(([, { Properties }]) => Properties.RouteKey === key) ?? [];
    // The stack that a route is in stands before the dot.
    expect(before, key).toContain(id.split('.')[0]);
  }
});

test('each request leaves a line of JSON that names it, and neither its token, its query nor its body', () => {
  const { DestinationArn, Format } = stage.Properties.AccessLogSettings as { DestinationArn: object; Format: string };
  const line = JSON.parse(Format) as Record<string, string>;
  expect(line).toMatchObject({
    requestId: '$context.requestId',
    route: '$context.routeKey',
    status: '$context.status',
  });
  expect(Object.values(line).filter((value) => !/^\$context\.[A-Za-z.]+$/.test(value))).toEqual([]);
  expect(Format).not.toMatch(/authori[sz]|header|query|body/i);
  const [, ...logGroups] = JSON.stringify(DestinationArn).match(/^\{"Fn::GetAtt":\["(\w+)","Arn"\]\}$/) ?? [];
  expect(resourcesOf(template, 'AWS::Logs::LogGroup').get(logGroups[0] ?? '')?.Properties.RetentionInDays).toBe(90);
});

test('scripts and SDKs of other sites may not call the API, unless the context names their sites', () => {
  expect(theOnly(template, 'AWS::ApiGatewayV2::Api').Properties.CorsConfiguration).toBeUndefined();
  const { main } = synthesizeFew(chosen);
  expect(theOnly(main, 'AWS::ApiGatewayV2::Api').Properties.CorsConfiguration).toMatchObject({
    AllowOrigins: ['https://a.example.com', 'http://localhost:3000'],
    AllowHeaders: [
      ...['authorization', 'content-type', 'idempotency-key', 'if-match'],
      ...['if-none-match', 'unleash-appname', 'unleash-connection-id', 'unleash-sdk', 'x-api-key'],
    ],
    AllowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  });
});

test('with a custom domain the API has no other address, and requires TLS 1.2', () => {
  expect(theOnly(template, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(false);
  expect(resourcesOf(template, 'AWS::ApiGatewayV2::DomainName').size).toBe(0);

  const { main } = synthesizeFew(chosen);
  expect(theOnly(main, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(true);
  expect(theOnly(main, 'AWS::ApiGatewayV2::DomainName').Properties).toMatchObject({
    DomainName: 'flags.example.com',
    DomainNameConfigurations: [{ CertificateArn: chosen.certificateArn, SecurityPolicy: 'TLS_1_2' }],
  });
  expect(resourcesOf(main, 'AWS::ApiGatewayV2::ApiMapping').size).toBe(1);
  expect(main.findOutputs('Url')).toMatchObject({ Url: { Value: 'https://flags.example.com' } });
  expect(Object.keys(main.findOutputs('DomainTarget'))).toHaveLength(1);
});

test('a closed API has no address that answers, and nothing else in the stack has one', () => {
  const { main, whole } = synthesizeFew({ api: 'closed', publicUrl: 'https://flags.example.com' });
  expect(theOnly(whole, 'AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(true);
  for (const type of ['AWS::ApiGatewayV2::DomainName', 'AWS::Lambda::Url'])
    expect(resourcesOf(whole, type).size).toBe(0);
  expect(Object.keys(main.toJSON().Outputs)).not.toContain('Url');
});
