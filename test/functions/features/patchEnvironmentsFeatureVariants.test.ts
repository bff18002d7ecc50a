import { describe, expect, test } from 'vitest';
import { paths } from '../../harness/features.ts';
import { writesNothing } from '../../harness/imports.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const variants = [
  { name: 'a', weight: 500, weightType: 'variable', stickiness: 'userId' },
  { name: 'b', weight: 500, weightType: 'variable', stickiness: 'userId' },
];

specify('patchEnvironmentsFeatureVariants', {
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS'),
  request: async (world) => ({
    params: (await world.feature({ variants })).place,
    body: [{ op: 'replace', path: '/0/name', from: '/0/name', value: 'c' }],
  }),
  required: ['0.op', '0.path'],
  needed: ['0.value'],
});

describe('Patching the variants of a feature in an environment', () => {
  const { service, world } = sharedWorld();
  const patch = (name: string, operations: unknown) =>
    service.call('PATCH', paths.variants(name), { body: operations });

  test('changes, adds and removes single ones, and shares the weights anew', async () => {
    const { name } = await world.feature({ variants });
    const { status, body } = await patch(name, [
      { op: 'test', path: '/1', value: variants[1] },
      { op: 'replace', path: '/0/stickiness', value: 'default' },
      { op: 'add', path: '/-', value: { name: 'c', weight: 0 } },
      { op: 'move', from: '/1', path: '/0' },
      { op: 'add', path: '/1/payload', value: { type: 'string', value: 'x' } },
    ]);
    expect([status, body]).toEqual([
      200,
      {
        version: 1,
        variants: [
          { ...variants[1], weight: 334 },
          { ...variants[0], weight: 333, stickiness: 'default', payload: { type: 'string', value: 'x' } },
          { name: 'c', weight: 333, weightType: 'variable', stickiness: 'default' },
        ],
      },
    ]);
    expect((await service.get(paths.variants(name))).body).toEqual(body);
  });

  test('can replace the whole list, and empty it', async () => {
    const { name } = await world.feature({ variants });
    const replaced = await patch(name, [{ op: 'replace', path: '', value: [{ name: 'z', weight: 0 }] }]);
    expect(replaced.body.variants).toMatchObject([{ name: 'z', weight: 1000 }]);
    expect((await patch(name, [{ op: 'remove', path: '/0' }])).body.variants).toEqual([]);
  });

  // test/lib/helpers/apply-patch.test.ts has all that is refused.
  test.each([
    ['a result without a name', 400, [{ op: 'remove', path: '/1/name' }], '1.name'],
    ['two of one name', 400, [{ op: 'copy', from: '/0/name', path: '/1/name' }], undefined],
    ['a test that fails', 409, [{ op: 'test', path: '/0/name', value: 'b' }], '0.value'],
  ])('is refused with %s, and changes nothing', async (_, status, operations, path) => {
    const { name } = await world.feature({ variants });
    const answer = await writesNothing(service, () => patch(name, operations));
    expect(answer).toMatchObject({ status, body: { details: [path === undefined ? {} : { path }] } });
    expect((await service.get(paths.variants(name))).body.variants).toEqual(variants);
  });
});
