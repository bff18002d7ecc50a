import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import type { DeployedEndpoint } from '../../../infra/deployed-endpoints.ts';
import { type Synthesized, synthesizeEndpoints } from '../synthesize.ts';
import { resourcesOf } from '../template.ts';

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

const templatesOf = ({ main, nested }: Synthesized) => new Map([['main', main], ...nested]);
const textOf = (template: Template | undefined) => JSON.stringify(template?.toJSON());

describe('a service of some endpoints', () => {
  const few = [...endpointsOf('features', 12), ...endpointsOf('projects', 8)];
  const before = synthesizeEndpoints(few);

  test('gets another one in a folder: no other endpoint moves or changes, in any template', () => {
    const after = synthesizeEndpoints([...few, ...endpointsOf('projects', 9).slice(8)]);
    expect(textOf(after.nested.get('features'))).toBe(textOf(before.nested.get('features')));
    expect([...resourcesOf(after.main).keys()]).toEqual([...resourcesOf(before.main).keys()]);
    const resources = resourcesOf(after.nested.get('projects') as Template);
    for (const [id, resource] of resourcesOf(before.nested.get('projects') as Template)) {
      expect(resources.get(id), id).toEqual(resource);
    }
  });

  test('gets another folder: only the main template changes, by one nested stack', () => {
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

  test('is listed in another order: nothing changes', () => {
    const after = synthesizeEndpoints(few.toReversed());
    for (const [stack, template] of templatesOf(before)) {
      const resources = resourcesOf(templatesOf(after).get(stack) as Template);
      expect([...resources.keys()].toSorted(), stack).toEqual([...resourcesOf(template).keys()].toSorted());
    }
  });
});

test('a folder of 111 endpoints fits', () => {
  const { nested } = synthesizeEndpoints(endpointsOf('features', 111));
  expect(resourcesOf(nested.get('features') as Template).size).toBeLessThanOrEqual(450);
});

test('the error for a folder that needs more resources than a stack may have says what to do', () => {
  expect(() => synthesizeEndpoints(endpointsOf('features', 112))).toThrow(
    'The 112 endpoints of functions/features need 453 resources, but a stack may have at most 450. Put new endpoints into another folder; deployed ones cannot move.',
  );
});
