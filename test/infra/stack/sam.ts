import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { functionOf, listEndpoints } from '../../../infra/deployed-endpoints.ts';
import { unroutedHandler } from '../../../infra/entry-points.ts';
import { routeKeyOf, routesTo } from '../../../infra/routes.ts';
import { folderOfTests } from '../../harness/test-folder.ts';
import { synthesizeIn } from '../synthesize.ts';

/** Parts of a resource that SAM reads. */
interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly [name: string]: unknown;
    readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
  };
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** Context that the CDK's command gives to every app, so that the template says where the code of each function is. */
const context = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };

/** The file that the README gives `sam local` with --env-vars. */
const variables = JSON.parse(readFileSync(new URL('../sam-variables.json', import.meta.url), 'utf8'));

/** One of each folder: all have the same form. */
const some = [...new Map(listEndpoints().map((endpoint) => [endpoint.folder, endpoint])).values()];

/** The endpoints, each with the name of its function: its own, or that of its folder. */
const endpoints = some.flatMap((endpoint) =>
  routesTo(endpoint, some).map((route) => ({
    functionName: functionOf(endpoint),
    declaration: endpoint.declaration,
    route: routeKeyOf(route),
  })),
);

const directory = folderOfTests();
/** The nested stacks, and what is in all templates; what is in a nested one has the stack's id and a dot before its own. */
let stacks: [string, Resource][];
let resources: Record<string, Resource>;
/** The functions, by their ids in their own templates. */
let functions: Map<string, [string, Resource][]>;

beforeAll(() => {
  const { main, whole } = synthesizeIn(directory, some, context);
  stacks = Object.entries(main.findResources('AWS::CloudFormation::Stack')) as [string, Resource][];
  resources = whole.toJSON().Resources;
  functions = Map.groupBy(ofType('AWS::Lambda::Function'), ([id]) => lastPart(id));
});

const ofType = (type: string) => Object.entries(resources).filter(([, resource]) => resource.Type === type);
const lastPart = (id: string) => id.split('.').at(-1) ?? '';

/** A function by its id in the template that it is in, by which SAM knows it. */
const functionNamed = (name: string) => {
  const found = functions.get(name) ?? [];
  expect(found, `functions of the id ${name}`).toHaveLength(1);
  return found[0] as [string, Resource];
};

describe('the templates that sam local reads', () => {
  test('name the file of each nested template, which is next to the main one', () => {
    // One more sends to integrations, and one applies what is scheduled.
    expect(stacks).toHaveLength(some.length + 2);
    for (const [id, { Metadata }] of stacks) {
      expect(Metadata?.['aws:asset:property'], id).toBe('TemplateURL');
      expect(existsSync(join(directory, 'cdk.out', String(Metadata?.['aws:asset:path']))), id).toBe(true);
    }
  });

  test('have the code, the handler and the runtime of every function', () => {
    for (const [id, { Properties, Metadata }] of ofType('AWS::Lambda::Function')) {
      expect(Metadata?.['aws:asset:property'], id).toBe('Code');
      const code = join(directory, 'cdk.out', String(Metadata?.['aws:asset:path']));
      const [file, handler] = String(Properties.Handler).split('.');
      expect(handler, id).toBe('handler');
      expect(existsSync(join(code, `${file}.cjs`)), `${id} in ${code}`).toBe(true);
      expect(Properties.Runtime, id).toBe('nodejs24.x');
    }
  });

  test('name the function of each operation after the operation, as sam local invoke needs it', () => {
    for (const { functionName } of endpoints) functionNamed(functionName);
  });

  test('have a route to each function in the only form that SAM supports', () => {
    const routes = new Map(
      ofType('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => [Properties.RouteKey, Properties]),
    );
    const wanted = new Map([
      ...endpoints.map(({ route, functionName }) => [route, functionName] as const),
      ['$default', unroutedHandler] as const,
    ]);
    expect([...routes.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
    for (const [route, name] of wanted) {
      const [, integrationId = ''] = /\{"Ref":"([^"]+)"\}/.exec(JSON.stringify(routes.get(route)?.Target)) ?? [];
      const { Properties } = resources[integrationId] ?? { Properties: {} };
      expect(routes.get(route)?.Target, route).toEqual({ 'Fn::Join': ['', ['integrations/', { Ref: integrationId }]] });
      const [functionId] = functionNamed(name);
      expect(Properties, route).toMatchObject({
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::GetAtt': [functionId, 'Arn'] },
        PayloadFormatVersion: '2.0',
      });
    }
  });

  test('have one HTTP API, whose routes and stage are below it and nothing else', () => {
    const [[id] = []] = ofType('AWS::ApiGatewayV2::Api');
    expect(ofType('AWS::ApiGatewayV2::Api')).toHaveLength(1);
    for (const type of ['Route', 'Stage', 'Integration']) {
      for (const [, { Properties }] of ofType(`AWS::ApiGatewayV2::${type}`))
        expect(Properties.ApiId).toEqual({ Ref: id });
    }
  });

  test('declare the variables for another store on every function that opens the table', () => {
    const named = Object.keys(variables.Parameters);
    expect(named).toContain('DYNAMODB_ENDPOINT');
    for (const { functionName, declaration } of endpoints) {
      const [, { Properties }] = functionNamed(functionName);
      const declared = Object.keys(Properties.Environment?.Variables ?? {});
      const opensTable = declaration.rights !== 'none' || declaration.audience !== 'public';
      if (opensTable) expect(declared, functionName).toEqual(expect.arrayContaining(named));
    }
  });

  test('use values that only AWS knows in no variable that may be overridden, except the name of the table', () => {
    for (const name of new Set(endpoints.map(({ functionName }) => functionName))) {
      const [id, { Properties }] = functionNamed(name);
      const { TABLE_NAME: _, ...others } = Properties.Environment?.Variables ?? {};
      for (const [name, value] of Object.entries(others)) expect(value, `${id} ${name}`).toBeTypeOf('string');
    }
  });
});
