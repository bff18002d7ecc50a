import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths } from '../../harness/features.ts';
import { variantPlaces, variantsBody } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

specify('patchFeatureVariants', {
  route: 'PATCH /api/admin/projects/{projectId}/features/{featureName}/variants',
  ...openTo('Member', 'UPDATE_FEATURE_VARIANTS'),
  request: async (world) => ({
    params: (await world.feature()).place,
    body: [{ op: 'replace', path: '', from: '', value: variantsBody }],
  }),
  required: ['0.op', '0.path'],
  needed: ['0.value', ...variantPlaces.map((place) => `0.value.${place}`)],
});

describe('Patching the variants of a feature', () => {
  const { service, world } = sharedWorld();
  const variant = { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' };
  const patch = (name: string, body: unknown) => service.call('PATCH', `${paths.feature(name)}/variants`, { body });
  const names = async (name: string, environment: string) =>
    (await service.get(paths.variants(name, environment))).body.variants.map((each: { name: string }) => each.name);

  test('changes them in each environment by what they are there', async () => {
    const { name } = await world.feature({ variants: [variant] });
    const { status, body } = await patch(name, [{ op: 'add', path: '/-', value: { name: 'b', weight: 0 } }]);
    expect([status, body.variants]).toMatchObject([
      200,
      [
        { name: 'a', weight: 500 },
        { name: 'b', weight: 500 },
      ],
    ]);
    expect(await names(name, 'development')).toEqual(['a', 'b']);
    expect(await names(name, 'production')).toEqual(['b']);
  });

  test('that fails in one environment changes nothing in any', async () => {
    const { name } = await world.feature({ variants: [variant] });
    const rename = [{ op: 'replace', path: '/0/name', value: 'c' }];
    const events = await eventsAddedBy(service, name, async () => {
      expect(await patch(name, rename)).toMatchObject({ status: 400 });
    });
    expect(events).toEqual([]);
    expect(await names(name, 'development')).toEqual(['a']);
  });
});
