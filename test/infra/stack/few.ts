import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { functionOf } from '../../../infra/deployed-endpoints.ts';
import { accessOf, accessOfAll } from '../../../infra/roles.ts';
import { deployedRoutes } from '../deployed-routes.ts';
import { synthesize } from '../synthesize.ts';
import { actionsOf, functionBehind, functionsOfRoutes, resourcesOf, statementsOf } from '../template.ts';

const { whole: many, nested: ofMany } = synthesize();
const { whole: few, nested } = synthesize({ functions: 'few' });

const routeIdsOf = (template: Template) =>
  new Map(
    [...resourcesOf(template, 'AWS::ApiGatewayV2::Route')].map(([id, { Properties }]) => [Properties.RouteKey, id]),
  );

describe('With few functions', () => {
  test('there are seven, and one for requests without an endpoint', () => {
    const names = new Set(deployedRoutes.map((each) => functionOf(each, 'few')));
    expect(names).toEqual(new Set(['administration', 'auth', 'client', 'flags', 'frontend', 'mcp', 'service']));
    expect(new Set(functionsOfRoutes(few)).size).toBe(names.size + 1);
    for (const endpoint of deployedRoutes) {
      const [id] = [...resourcesOf(few, 'AWS::Lambda::Function')].find(
        ([, each]) => each === functionBehind(few, endpoint.route),
      ) ?? [''];
      expect(id.split('.').at(-1), endpoint.route).toBe(functionOf(endpoint, 'few'));
    }
  });

  test('each route is the same resource as with many functions, so that a stack can switch', () => {
    expect(routeIdsOf(few)).toEqual(routeIdsOf(many));
    for (const [folder] of ofMany) expect([...nested.keys()]).toContain(folder);
  });

  test('only the API may call a function, by one permission for all its routes', () => {
    const permissions = [...resourcesOf(few, 'AWS::Lambda::Permission').values()].filter(
      ({ Properties }) => Properties.Principal !== 'events.amazonaws.com',
    );
    const [api] = resourcesOf(few, 'AWS::ApiGatewayV2::Api').keys();
    for (const { Properties } of permissions) {
      expect(Properties.Principal).toBe('apigateway.amazonaws.com');
      expect(JSON.stringify(Properties.SourceArn)).toContain(`{"Ref":"${api}"}`);
    }
    // Lambda keeps 20 kB of rights with a function.
    const byFunction = Map.groupBy(permissions, ({ Properties }) => JSON.stringify(Properties.FunctionName));
    for (const [name, each] of byFunction) expect(each.length, name).toBeLessThanOrEqual(30);
  });

  test('a function has the rights on the table that one of its endpoints needs', () => {
    for (const [name, members] of Map.groupBy(deployedRoutes, (each) => functionOf(each, 'few'))) {
      const access = accessOfAll(members.map(({ declaration }) => accessOf(declaration)));
      const actions = actionsOf(statementsOf(few, functionBehind(few, members[0]?.route ?? '')));
      expect(actions.includes('dynamodb:PutItem'), name).toBe(['write', 'report'].includes(access));
    }
  });
});
