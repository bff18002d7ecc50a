import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import type { DeployedEndpoint } from '../../infra/deployed-endpoints.ts';
import { resourcesMax } from '../../infra/endpoints.ts';
import { joinedFolders } from '../../infra/joined-folders.ts';
import { type Synthesized, synthesizeEndpoints } from './synthesize.ts';
import { resourcesOf } from './template.ts';

/** CloudFormation's and API Gateway's documented limits; that of routes can be raised. */
const templateBytesMax = 1_000_000;
const parametersMax = 200;
const routesMax = 300;

/** How many endpoints a service of all that Unleash 8.2 serves has, by the heading that its document lists them under. */
const ofUnleash = {
  features: 43,
  users: 18,
  projects: 17,
  context: 16,
  tags: 12,
  strategies: 10,
  metrics: 9,
  segments: 8,
  addons: 6,
  adminUi: 6,
  dependencies: 6,
  environments: 6,
  publicSignup: 6,
  apiTokens: 5,
  auth: 5,
  archive: 4,
  client: 4,
  events: 4,
  frontend: 4,
  edge: 3,
  imports: 3,
  personalTokens: 3,
  featureTypes: 2,
  instanceAdmin: 2,
  maintenance: 2,
  operational: 2,
  playground: 2,
  search: 1,
  telemetry: 1,
  unknownFlags: 1,
};
/** What it serves besides without documenting it, what only its Enterprise edition has, and what is our own. */
const besides = { groups: 8, roles: 8, settings: 8, service: 7, links: 4, favourites: 4 };
const distribution: Readonly<Record<string, number>> = { ...ofUnleash, ...besides };

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;

/** The endpoints of a folder, of every method; fewer are the first of more. */
function endpointsOf(folder: string, count: number): DeployedEndpoint[] {
  return Array.from({ length: count }, (_, index) => ({
    operationId: `${folder}Operation${index}`,
    folder,
    declaration: {
      method: methods[index % methods.length] ?? 'GET',
      path: `/api/admin/${folder}/{nameOfTheThing}/parts/operation${index}`,
      group: 'Generated',
      summary: 'Does what an operation of this name may be expected to do, in a sentence of usual length.',
      responses: { 200: null },
      ...(index % 10 === 1 && { throttle: { ratePerSecond: 10, burst: 20 } }),
    },
  }));
}

const all = Object.entries(distribution).flatMap(([folder, count]) => endpointsOf(folder, count));
const grown = synthesizeEndpoints(all);

const templatesOf = ({ main, nested }: Synthesized) => new Map([['main', main], ...nested]);
const textOf = (template: Template | undefined) => JSON.stringify(template?.toJSON());

describe(`a service of ${all.length} endpoints`, () => {
  test('has as many as are to come', () => {
    expect(Object.values(ofUnleash).reduce((sum, count) => sum + count)).toBe(211);
    expect(all).toHaveLength(250);
  });

  test('has a stack for each folder, and no template above 450 resources or near another limit', () => {
    expect([...grown.nested.keys()].toSorted()).toEqual(Object.keys(distribution).toSorted());
    expect(resourcesMax).toBe(450);
    for (const [stack, template] of templatesOf(grown)) {
      expect(resourcesOf(template).size, stack).toBeLessThanOrEqual(resourcesMax);
      expect(textOf(template)?.length, stack).toBeLessThan(templateBytesMax);
      expect(Object.keys(template.toJSON().Parameters ?? {}).length, stack).toBeLessThan(parametersMax);
    }
  });

  test('has a function, a route and the right to call it for each, and a log group and two roles for each folder', () => {
    const countOf = (type: string) => resourcesOf(grown.whole, type).size;
    // One more for what no endpoint takes.
    expect(countOf('AWS::ApiGatewayV2::Route')).toBe(all.length + 1);
    expect(countOf('AWS::ApiGatewayV2::Route')).toBeLessThan(routesMax);
    // The address of a function takes two rights: to reach it, and to call the function through it.
    expect(countOf('AWS::Lambda::Permission')).toBe(all.length + 1 + 2 * joinedFolders.length);
    const joined = all.filter(({ folder }) => joinedFolders.includes(folder));
    // One more that prepares the store, with a log group and a role of its own; one log group more for the API's access.
    expect(countOf('AWS::Lambda::Function')).toBe(all.length - joined.length + joinedFolders.length + 2);
    expect(countOf('AWS::Logs::LogGroup')).toBe(grown.nested.size + 3);
    expect(countOf('AWS::IAM::Role')).toBeLessThanOrEqual(2 * grown.nested.size + 2);
  });
});

describe('a service of some endpoints', () => {
  const few = [...endpointsOf('features', 12), ...endpointsOf('projects', 8)];
  const before = synthesizeEndpoints(few);

  test('gains another in a folder: no other moves or changes, in its template and in all others', () => {
    const after = synthesizeEndpoints([...few, ...endpointsOf('projects', 9).slice(8)]);
    expect(textOf(after.nested.get('features'))).toBe(textOf(before.nested.get('features')));
    expect([...resourcesOf(after.main).keys()]).toEqual([...resourcesOf(before.main).keys()]);
    const resources = resourcesOf(after.nested.get('projects') as Template);
    for (const [id, resource] of resourcesOf(before.nested.get('projects') as Template)) {
      expect(resources.get(id), id).toEqual(resource);
    }
  });

  test('gains a folder: no template changes but the main one, which has one stack more', () => {
    const after = synthesizeEndpoints([...endpointsOf('archive', 4), ...few]);
    for (const [id, template] of before.nested) expect(textOf(after.nested.get(id)), id).toBe(textOf(template));
    const resources = resourcesOf(after.main);
    const known = resourcesOf(before.main);
    const added = [...resources].filter(([id]) => !known.has(id));
    expect(added.map(([, { Type }]) => Type)).toEqual(['AWS::CloudFormation::Stack']);
    for (const [id, resource] of known) {
      // The stage comes after the stacks of the routes that it limits, and the migration after all stacks.
      if (resource.Type === 'AWS::ApiGatewayV2::Stage') continue;
      const waits = resource.Type === 'Custom::PreparedStore';
      const expected = waits ? { ...resource, DependsOn: expect.any(Array) } : resource;
      expect(resources.get(id), id).toEqual(expected);
    }
  });

  test('is listed in another order: everything stays where it is', () => {
    const after = synthesizeEndpoints(few.toReversed());
    for (const [stack, template] of templatesOf(before)) {
      const resources = resourcesOf(templatesOf(after).get(stack) as Template);
      expect([...resources.keys()].toSorted(), stack).toEqual([...resourcesOf(template).keys()].toSorted());
    }
  });
});

test('a folder of all that is about features fits, with tags, strategies and dependencies, and one of 111 endpoints', () => {
  const { features, tags, strategies, dependencies } = ofUnleash;
  const count = features + tags + strategies + dependencies;
  const { nested } = synthesizeEndpoints([...endpointsOf('features', count), ...endpointsOf('most', 111)]);
  expect(resourcesOf(nested.get('features') as Template).size).toBeLessThan(300);
  expect(resourcesOf(nested.get('most') as Template).size).toBeLessThanOrEqual(resourcesMax);
});

test('a folder that has outgrown its stack is refused, with what to do', () => {
  expect(() => synthesizeEndpoints(endpointsOf('features', 112))).toThrow(
    'The 112 endpoints of functions/features make 453 resources, and a stack is to have at most 450. Put the new ones into another folder; deployed ones cannot move.',
  );
});
