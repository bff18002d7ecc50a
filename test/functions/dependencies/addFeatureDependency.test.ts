import { describe, expect, test } from 'vitest';
import { eventsAddedBy, paths, problemPaths, readFeature, shopSeed } from '../../harness/features.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];

specify('addFeatureDependency', {
  route: 'POST /api/admin/projects/{projectId}/features/{featureName}/dependencies',
  ...openTo('Member', 'UPDATE_FEATURE_DEPENDENCY'),
  request: async (world) => {
    const parent = await world.shared('parent with a variant', () => world.feature({ variants }));
    const { place } = await world.feature();
    return {
      params: { projectId: place.projectId, featureName: place.featureName },
      body: { feature: parent.name, enabled: true, variants: ['blue'] },
    };
  },
  required: ['feature'],
  differs: '400 for a parent that cannot be one, and 404 for an unknown one, where Unleash answers 403',
});

describe('A dependency', () => {
  const { service, world } = sharedWorld(shopSeed);
  const depend = (child: string, body: object) => service.post(`${paths.feature(child)}/dependencies`, body);

  test('shows in the child and in the parent, with an event of the child', async () => {
    const [child, parent] = [await world.feature(), await world.feature()];
    const events = await eventsAddedBy(service, child.name, async () => {
      expect(await depend(child.name, { feature: parent.name })).toMatchObject({ status: 200, text: '' });
      await depend(child.name, { feature: parent.name, enabled: true, variants: [] });
    });
    const dependency = { feature: parent.name, enabled: true, variants: [] };
    expect(events).toMatchObject([{ type: 'feature-dependency-added', data: dependency, preData: null }]);
    expect((await readFeature(service, child.name)).dependencies).toEqual([dependency]);
    expect((await readFeature(service, parent.name)).children).toEqual([child.name]);
  });

  test('replaces all before, on the same parent and on others, with events of both', async () => {
    const [one, other, third] = (await world.featureNames(3)) as [string, string, string];
    const { name } = await world.feature({ parents: [one, other] });
    const events = await eventsAddedBy(service, name, async () => {
      for (const body of [
        { feature: one, variants: ['blue'] },
        { feature: one, enabled: false, variants: ['nosuch'] },
        { feature: third },
      ]) {
        expect(await depend(name, body)).toMatchObject({ status: 200 });
        const { feature, enabled = true, variants = [] } = body;
        const dependency = { feature, enabled, variants: enabled ? variants : [] };
        expect((await readFeature(service, name)).dependencies).toEqual([dependency]);
        expect((await readFeature(service, feature)).children).toEqual([name]);
      }
    });
    expect(events.map(({ type }) => type.slice('feature-'.length))).toEqual([
      'dependencies-removed',
      ...Array(2).fill('dependency-added'),
      'dependencies-removed',
      'dependency-added',
    ]);
    for (const parent of [one, other]) expect((await readFeature(service, parent)).children).toEqual([]);
  });

  test('can name variants that the parent does not have yet', async () => {
    const [child, parent] = [await world.feature(), await world.feature()];
    const dependency = { feature: parent.name, enabled: true, variants: ['blue', 'green'] };
    expect(await depend(child.name, dependency)).toMatchObject({ status: 200 });
    expect((await readFeature(service, child.name)).dependencies).toEqual([dependency]);
  });

  test.each([
    ['itself', async () => 'self'],
    ['an archived parent', async () => (await world.feature({ archived: true })).name],
    ['a parent of another project', async () => (await world.feature({ project: 'shop' })).name],
    ['a parent that has a parent', async () => (await world.feature({ parents: [(await world.feature()).name] })).name],
  ])('on %s is refused', async (_, make) => {
    const { name } = await world.feature();
    const parent = await make();
    const answer = await depend(name, { feature: parent === 'self' ? name : parent });
    expect(problemPaths(answer)).toEqual(['feature']);
    expect((await readFeature(service, name)).dependencies).toEqual([]);
  });

  test('on a feature that is unknown is a 404, as it is of an archived one', async () => {
    const [{ name }, archived] = [await world.feature(), await world.feature({ archived: true })];
    expect(await depend(name, { feature: 'nosuch' })).toMatchObject({
      status: 404,
      body: { details: [{ path: 'feature' }] },
    });
    expect(await depend(archived.name, { feature: name })).toMatchObject({ status: 404 });
  });

  test('of a feature that has children is refused: a parent has no parent', async () => {
    const parent = await world.feature();
    await world.feature({ parents: [parent.name] });
    expect(await depend(parent.name, { feature: (await world.feature()).name })).toMatchObject({ status: 400 });
  });

  test('makes no chain and no circle, whatever comes at the same time', async () => {
    for (let round = 0; round < 2; round += 1) {
      const [a, b, c] = (await world.featureNames(3)) as [string, string, string];
      const answers = await Promise.all([
        depend(a, { feature: b }),
        depend(b, { feature: c }),
        depend(c, { feature: a }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const name of [a, b, c]) {
        const { dependencies, children } = await readFeature(service, name);
        expect(dependencies.length > 0 && children.length > 0).toBe(false);
      }
    }
  });
});
