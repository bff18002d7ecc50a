import { describe, expect } from 'vitest';
import { eventsAddedBy, paths, readFeature } from '../../../harness/features.ts';
import { contentOf } from '../../../harness/items.ts';
import type { Service } from '../../../harness/service.ts';
import { betweenReadAndWrite } from '../../../harness/store-requests.ts';
import type { World } from '../../../harness/world.ts';
import { problemsOf } from '../../../invariants/problems.ts';
import { test, worldForEach } from '../../../specifications/specify.ts';

const constraints = [{ contextName: 'country', operator: 'IN', values: ['CH'] }];

/** A thing of each kind that a feature can use. */
async function things(world: World) {
  const segment = await world.segment();
  const strategyType = await world.strategyType();
  const [type, contextField] = [await world.tagType(), await world.contextField()];
  const tag = { type, value: 'shop' };
  const strategies = [
    { name: 'default', title: 'for some', segments: [segment.id] },
    { name: 'default', title: 'for all', constraints: [{ ...constraints[0], contextName: contextField }] },
    { name: strategyType, title: 'own' },
  ];
  const at = {
    segment: `/api/admin/segments/${segment.id}`,
    strategyType: `/api/admin/strategies/${strategyType}`,
    tag: `/api/admin/tags/${type}/shop`,
    tagType: `/api/admin/tag-types/${type}`,
    contextField: `/api/admin/context/${contextField}`,
  };
  return { segment, strategyType, tag, strategies, at };
}
type Things = Awaited<ReturnType<typeof things>>;

/** Creates a feature that uses all of them in an environment where it is on, and has another strategy in another one. */
async function user(world: World, { strategies, tag }: Things): Promise<string> {
  const feature = await world.feature({ tags: [tag, { type: 'simple', value: 'kept' }] });
  for (const strategy of strategies) await world.strategy(feature, strategy);
  await world.strategy({ ...feature, place: { ...feature.place, environment: 'production' } });
  for (const environment of ['development', 'production'])
    await world.ask('POST', paths.switch(feature.name, 'on', environment));
  return feature.name;
}

const archive = (world: World, name: string) => world.ask('PUT', paths.feature(name), { archived: true });

const expectSound = async ({ table }: Service) => expect(problemsOf(await contentOf(table))).toEqual([]);

interface Shown {
  readonly name: string;
  readonly enabled: boolean;
  readonly strategies: readonly { readonly title: string; readonly segments: readonly number[] }[];
}
const titlesIn = (environments: readonly Shown[], name: string) =>
  environments.find((each) => each.name === name)?.strategies.map(({ title, segments }) => [title, segments]);
const isOnIn = (environments: readonly Shown[], name: string) =>
  environments.find((each) => each.name === name)?.enabled;

describe('Archived features', () => {
  const { service, world } = worldForEach();
  const remove = (path: string) => service.call('DELETE', path);

  test.each(['segment', 'strategyType', 'tag', 'tagType', 'contextField'] as const)(
    'keep no %s that live ones would keep',
    async (kind) => {
      const used = await things(world);
      const name = await user(world, used);
      const refused = await remove(used.at[kind]);
      expect([refused.status, refused.body.name]).toEqual([409, 'InUseError']);
      await archive(world, name);
      expect((await remove(used.at[kind])).status).toBeLessThan(300);
      expect((await service.get(used.at[kind])).status).toBe(404);
      await expectSound(service);
    },
  );

  test('do not appear among the strategies of a segment', async () => {
    const used = await things(world);
    await archive(world, await user(world, used));
    expect((await service.get(`${used.at.segment}/strategies`)).body.strategies).toEqual([]);
  });

  test('do not prevent that a segment is given to another project, and are revived without it', async () => {
    const used = await things(world);
    const name = await user(world, used);
    await archive(world, name);
    const content = { name: used.segment.name, constraints: [], project: await world.project() };
    expect((await service.put(used.at.segment, content)).status).toBe(204);
    await world.ask('POST', paths.revived(name));
    expect(titlesIn((await readFeature(service, name)).environments, 'development')?.[0]).toEqual(['for some', []]);
    await expectSound(service);
  });

  test('can be moved, cloned with their environment and deleted after the things they use are deleted', async () => {
    const used = await things(world);
    const name = await user(world, used);
    await archive(world, name);
    for (const path of [used.at.segment, used.at.strategyType, used.at.tagType]) await remove(path);
    const clone = { name: 'copy', type: 'test', projects: ['default'] };
    expect((await service.post('/api/admin/environments/development/clone', clone)).status).toBe(201);
    const newProjectId = await world.project({ environments: ['development', 'production', 'copy'] });
    expect((await service.post(`${paths.feature(name)}/changeProject`, { newProjectId })).status).toBe(200);
    await expectSound(service);
    expect((await remove(paths.deleted(name))).status).toBe(200);
    await expectSound(service);
  });

  const ways = {
    'one by one': (name: string) => service.post(paths.revived(name)),
    'many at once': (name: string) => service.post(paths.bulk('revive'), { features: [name] }),
    'by an update': (name: string) => service.put(paths.feature(name), { archived: false }),
  };

  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    'are revived without what is gone, %s, and off where that changes what they do',
    async (way) => {
      const used = await things(world);
      const name = await user(world, used);
      await archive(world, name);
      for (const path of [used.at.segment, used.at.strategyType, used.at.tagType]) await remove(path);
      const events = await eventsAddedBy(service, name, async () => {
        expect((await ways[way](name)).status).toBe(200);
      });
      const { environments, tags } = await readFeature(service, name);
      expect(titlesIn(environments, 'development')).toEqual([
        ['for some', []],
        ['for all', []],
      ]);
      expect(tags).toEqual([{ type: 'simple', value: 'kept' }]);
      expect(isOnIn(environments, 'development')).toBe(false);
      expect(isOnIn(environments, 'production')).toBe(way === 'by an update');
      expect(events.map(({ type, environment }) => [type, environment])).toEqual(
        expect.arrayContaining([
          ['feature-revived', null],
          ['feature-untagged', null],
          ['feature-strategy-update', 'development'],
          ['feature-strategy-remove', 'development'],
          ['feature-environment-disabled', 'development'],
        ]),
      );
      await expectSound(service);
    },
  );

  test.each(Object.keys(ways) as (keyof typeof ways)[])(
    'are revived with everything that still exists, %s',
    async (way) => {
      const used = await things(world);
      const name = await user(world, used);
      const before = await readFeature(service, name);
      await archive(world, name);
      await ways[way](name);
      const { environments, tags } = await readFeature(service, name);
      expect(tags).toEqual(before.tags);
      expect(titlesIn(environments, 'development')).toEqual(titlesIn(before.environments, 'development'));
      for (const kind of ['segment', 'strategyType', 'tag', 'tagType'] as const)
        expect((await remove(used.at[kind])).status, kind).toBe(409);
      await expectSound(service);
    },
  );

  test.each(['segment', 'strategyType', 'tag', 'tagType'] as const)(
    'and a removal of their %s at the same moment leave one of the two undone',
    async (kind) => {
      const used = await things(world);
      const [first, second] = [await user(world, used), await user(world, used)];
      for (const name of [first, second]) await archive(world, name);
      const revive = (name: string) => service.post(paths.revived(name));
      expect(
        await betweenReadAndWrite(
          service.table,
          () => revive(first),
          () => remove(used.at[kind]),
        ),
      ).toMatchObject({
        status: 409,
      });
      await archive(world, first);
      const revived = await betweenReadAndWrite(
        service.table,
        () => remove(used.at[kind]),
        () => revive(second),
      );
      expect(revived.status).toBe(200);
      expect((await service.get(used.at[kind])).status).toBe(404);
      await expectSound(service);
    },
  );
});
