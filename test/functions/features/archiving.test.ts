import { describe, expect, test } from 'vitest';
import { withFault } from '../../harness/faults.ts';
import {
  enabledCounts,
  eventsAddedBy,
  eventTypesOf,
  frequencies,
  paths,
  readFeature,
  shopSeed,
  someOf,
} from '../../harness/features.ts';
import { sendImport } from '../../harness/imports.ts';
import type { FeatureOptions } from '../../harness/world.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { openTo, sharedWorld, specify } from '../../specifications/specify.ts';

const { service, world } = sharedWorld(shopSeed);

specify('archiveFeature', {
  route: 'DELETE /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'DELETE_FEATURE'),
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  others: {
    'with a parent': async (world) => ({
      params: (await world.feature({ parents: [(await world.feature()).name] })).place,
    }),
  },
  again: 404,
  differs: '409 while features depend on it, where Unleash answers 403',
});

describe('Archiving a feature', () => {
  const archive = (name: string, project?: string) => service.call('DELETE', paths.feature(name, project));

  test('shows it in the archive with all its fields', async () => {
    const { name } = await world.feature({ on: true, tags: [{ type: 'team', value: 'checkout' }] });
    const before = await readFeature(service, name);
    const counts = await enabledCounts(service);
    const events = await eventsAddedBy(service, name, () => archive(name));
    const { archivedAt } = (await readFeature(service, name)) as { archivedAt: string };
    expect(archivedAt).toBe(events[0]?.createdAt);
    expect(await readFeature(service, name)).toEqual({
      ...before,
      archived: true,
      archivedAt,
      lifecycle: { stage: 'archived', enteredStageAt: archivedAt },
    });
    const { body } = await service.get(paths.archive());
    expect(body.features[0]).toMatchObject({ name, archivedAt });
    expect(await enabledCounts(service)).toEqual(counts);
  });

  test('removes its dependencies', async () => {
    const parent = (await world.feature()).name;
    const child = (await world.feature({ parents: [parent] })).name;
    const events = await eventsAddedBy(service, child, () => archive(child));
    expect(events.map(({ type }) => type)).toEqual(['feature-dependencies-removed', 'feature-archived']);
    expect(await readFeature(service, child)).toMatchObject({ dependencies: [] });
    expect(await readFeature(service, parent)).toMatchObject({ children: [] });
    expect((await archive(parent)).status).toBe(202);
  });

  test('is refused while another feature depends on it', async () => {
    const parent = (await world.feature()).name;
    await world.features(2, { parents: [parent] });
    const answer = await archive(parent);
    expect(answer).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect(answer.body.message).toContain(parent);
    expect(await readFeature(service, parent)).toMatchObject({ archived: false });
    expect(await eventTypesOf(service, parent)).toEqual(['feature-created']);
  });

  test('and depending on it at the same time do not both succeed', async () => {
    for (let round = 0; round < 2; round += 1) {
      const [parent, child] = (await world.featureNames(2)) as [string, string];
      const dependencies = [{ feature: child, dependencies: [{ feature: parent }] }];
      const depend = () => sendImport(service, { features: [{ name: child }], dependencies });
      const answers = await Promise.all([archive(parent), depend()]);
      const statuses = answers.map(({ status }) => status);
      expect([
        [202, 400],
        [409, 200],
      ]).toContainEqual(statuses);
      const { archived, children } = await readFeature(service, parent);
      expect(children).toEqual(archived ? [] : [child]);
    }
  });

  test('happens once if three requests come at the same time', async () => {
    const { name } = await world.feature();
    const answers = await Promise.all(Array.from({ length: 3 }, () => archive(name)));
    expect(frequencies(answers.map(({ status }) => status))).toEqual({ 202: 1, 404: 2 });
    expect(await eventTypesOf(service, name)).toEqual(['feature-created', 'feature-archived']);
  });
});

specify('archiveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/archive',
  unversioned: 'it is about many things',
  ...openTo('Member', 'DELETE_FEATURE'),
  request: (world) => ofFeatures(world, 1, { on: true }),
  others: {
    '50 features': (world) => ofFeatures(world, 50, {}),
    // The children of a parent are read after its own item.
    'a parent and its child': async (world) => {
      const parent = (await world.feature()).name;
      const child = (await world.feature({ parents: [parent] })).name;
      return { params: world.home, body: { features: [parent, child] }, size: 2, waits: 3 };
    },
  },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature; 409 while features depend on one, where Unleash answers 403',
});

describe('Archiving features', () => {
  const archive = (features: readonly string[]) => service.post(paths.bulk('archive'), { features });
  const isArchived = async (name: string) => (await readFeature(service, name)).archived;

  test('archives a parent together with all its children', async () => {
    const parent = (await world.feature()).name;
    const children = await world.featureNames(3, { parents: [parent] });
    expect(await archive([parent, ...children.slice(1)])).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    for (const name of [parent, ...children]) expect(await isArchived(name)).toBe(false);
    expect((await archive([parent, ...children])).status).toBe(202);
    for (const name of [parent, ...children]) expect(await isArchived(name)).toBe(true);
    expect(await readFeature(service, parent)).toMatchObject({ children: [], dependencies: [] });
  });

  test('archives a parent after its many children', async () => {
    const parent = (await world.feature()).name;
    const children = await world.featureNames(60, { parents: [parent] });
    expect((await archive([parent, ...children])).status).toBe(202);
    expect(await readFeature(service, parent)).toMatchObject({ archived: true, children: [] });
    expect(await eventTypesOf(service, children[59] ?? '')).toEqual([
      'feature-created',
      'feature-dependency-added',
      'feature-dependencies-removed',
      'feature-archived',
    ]);
  });
});

interface Bulk {
  readonly what: string;
  readonly path: string;
  readonly body?: object;
  /** The features that the operation changes. */
  readonly of: FeatureOptions;
  /** The number of events of each feature before, and the number that the operation adds. */
  readonly before: readonly string[];
  readonly adds: readonly string[];
  /** The change of the number of enabled features in development, per feature. */
  readonly counted: -1 | 0 | 1;
}

const created = 'feature-created';
const archived = 'feature-archived';
const switchedOn = ['feature-strategy-add', 'feature-environment-enabled'];
const off = 'feature-environment-disabled';
const operations: readonly Bulk[] = [
  { what: 'Switching on', path: paths.on(), of: {}, before: [created], adds: switchedOn, counted: 1 },
  {
    what: 'Switching off',
    path: paths.off(),
    of: { on: true },
    before: [created, ...switchedOn],
    adds: [off],
    counted: -1,
  },
  {
    what: 'Marking as stale',
    path: paths.bulk('stale'),
    body: { stale: true },
    of: {},
    before: [created],
    adds: ['feature-stale-on'],
    counted: 0,
  },
  {
    what: 'Archiving',
    path: paths.bulk('archive'),
    of: { on: true },
    before: [created, ...switchedOn],
    adds: [archived],
    counted: 0,
  },
  {
    what: 'Reviving',
    path: paths.bulk('revive'),
    of: { on: true, archived: true },
    before: [created, archived, ...switchedOn],
    adds: ['feature-revived', off],
    counted: -1,
  },
  {
    what: 'Deleting',
    path: paths.bulk('delete'),
    of: { archived: true },
    before: [created, archived],
    adds: ['feature-deleted'],
    counted: 0,
  },
];

describe.each(operations)('$what of many features', ({ path, body, of, before, adds, counted }) => {
  const after = [...before, ...adds];
  const send = (features: readonly string[]) => service.post(path, { features, ...body });
  const made = async (amount: number) => await world.featureNames(amount, of);
  const count = async () => Number((await enabledCounts(service)).development);

  test('changes each feature once, however often it is named, and none that has the state already', async () => {
    const [first = '', second = '', already = ''] = await made(3);
    const countedBefore = await count();
    await send([already]);
    const { status, text } = await send([first, already, second, first]);
    expect([status < 300, text]).toEqual([true, '']);
    for (const name of [first, second, already]) expect(await eventTypesOf(service, name)).toEqual(after);
    expect(await count()).toBe(countedBefore + 3 * counted);
  });

  test('completes an interrupted request when it is sent again', async () => {
    const names = await made(45);
    const countedBefore = await count();
    const typesOfSome = () => Promise.all(someOf(names, 12).map((name) => eventTypesOf(service, name)));
    const fault = { request: 'TransactWriteItems', failure: 'server error', times: 99, after: 1 } as const;
    const [cut] = await withFault(service.table, fault, () => send(names));
    expect(cut.status).toBe(503);
    expect(new Set((await typesOfSome()).map(String))).toEqual(new Set([before, after].map(String)));

    expect((await send(names)).status).toBeLessThan(300);
    for (const types of await typesOfSome()) expect(types).toEqual(after);
    expect(await count()).toBe(countedBefore + names.length * counted);
  });
});
