import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { type DeployedEndpoint, deployedEndpoints } from '../../infra/deployed-endpoints.ts';
import { type Synthesized, synthesize } from './synthesize.ts';
import { resourcesOf } from './template.ts';

/** CloudFormation's documented limits. */
const resourcesMax = 500;
const templateBytesMax = 1_000_000;

const foldersOfToday = [...new Set(deployedEndpoints().map(({ folder }) => folder))];
/** As many folders as a service of ten times the endpoints may have. */
const manyFolders = [...foldersOfToday, ...Array.from({ length: 16 }, (_, index) => `folder${index}`)];

/** So many endpoints, of every method, in turn in each of the folders; fewer are the first of more. */
function endpointsIn(folders: readonly string[], count: number): DeployedEndpoint[] {
  const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
  return Array.from({ length: count }, (_, index) => ({
    operationId: `operation${index}`,
    folder: folders[index % folders.length] ?? '',
    declaration: {
      method: methods[index % methods.length] ?? 'GET',
      path: `/api/admin/things-of-some-name/{nameOfTheThing}/parts/operation${index}`,
      group: 'Generated',
      summary: 'Does what an operation of this name may be expected to do, in a sentence of usual length.',
      responses: { 200: null },
      ...(index % 10 === 1 && { throttle: { ratePerSecond: 10, burst: 20 } }),
    },
  }));
}

function templatesOf({ main, nested }: Synthesized): Map<string, Template> {
  return new Map([['main', main], ...nested]);
}

/** Each resource with the stack that it is in. */
function placesOf(synthesized: Synthesized): Map<string, string> {
  const places = [...templatesOf(synthesized)].flatMap(([stack, template]) =>
    [...resourcesOf(template)].map(([id, { Type, Properties }]) => {
      const what = Properties.RouteKey ?? Properties.Description ?? '';
      return [`${stack}/${id}`, `${Type} ${what}`] as const;
    }),
  );
  return new Map(places);
}

const few = synthesize({}, endpointsIn(manyFolders, 15));
const some = synthesize({}, endpointsIn(manyFolders, 60));
const many = synthesize({}, endpointsIn(manyFolders, 130));
/** As many as the main stack, and a nested one, are meant to take. */
const full = synthesize({}, endpointsIn(foldersOfToday, 75));
const fullNested = synthesize({}, endpointsIn(['folder0'], 75));

describe.each([
  ['15 endpoints in all folders', 15, few],
  ['60 endpoints in all folders', 60, some],
  ['130 endpoints in all folders', 130, many],
  ['75 endpoints in the folders of the main stack', 75, full],
  ['75 endpoints in a folder with a stack of its own', 75, fullNested],
])('%s', (_name, count, synthesized) => {
  const templates = templatesOf(synthesized);

  test('fit the stacks that they are in', () => {
    for (const [stack, template] of templates) {
      expect(resourcesOf(template).size, stack).toBeLessThan(resourcesMax);
      expect(JSON.stringify(template.toJSON()).length, stack).toBeLessThan(templateBytesMax);
    }
  });

  test('have a function, a route and a log group each', () => {
    const resources = [...templates.values()].flatMap((template) => [...resourcesOf(template).values()]);
    const countOf = (type: string) => resources.filter(({ Type }) => Type === type).length;
    // One more for what no endpoint takes.
    expect(countOf('AWS::ApiGatewayV2::Route')).toBe(count + 1);
    expect(countOf('AWS::Lambda::Permission')).toBe(count + 1);
    expect(countOf('AWS::Lambda::Function')).toBeGreaterThanOrEqual(count + 1);
    expect(countOf('AWS::Logs::LogGroup')).toBeGreaterThanOrEqual(count + 1);
  });
});

test('an endpoint stays where it is when others are added', () => {
  const afterwards = placesOf(many);
  for (const [place, what] of placesOf(few)) expect(afterwards.get(place), place).toBe(what);
});

test('an endpoint stays where it is when others go, or are listed in another order', () => {
  const before = placesOf(some);
  const after = placesOf(synthesize({}, endpointsIn(manyFolders, 60).toReversed().slice(20)));
  expect([...after].filter(([place, what]) => before.get(place) !== what)).toEqual([]);
});

test('the endpoints of today are all in the main stack, which tools that read one template ask for', () => {
  expect([...synthesize().nested.keys()]).toEqual([]);
});
