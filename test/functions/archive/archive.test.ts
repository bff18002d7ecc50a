import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import {
  addFeatures,
  addFeaturesOn,
  archivePages,
  enabledCounts,
  eventsAddedBy,
  importFileParts,
  paths,
  readFeature,
  shopSeed,
} from '../../harness/features.ts';
import { nextMillisecond } from '../../harness/next-millisecond.ts';
import { freshService, type Reply, type Service } from '../../harness/service.ts';
import { betweenReadAndWrite, recordStoreRequests } from '../../harness/store-requests.ts';
import { ofFeatures } from '../../specifications/bodies.ts';
import { openTo, sharedService, sharedWorld, specify } from '../../specifications/specify.ts';

specify('deleteFeatures', {
  route: 'POST /api/admin/projects/{projectId}/delete',
  unversioned: 'it is about many things',
  ...openTo('Member', 'DELETE_FEATURE'),
  request: (world) => ofFeatures(world, 1, { archived: true }),
  others: { '50 features': (world) => ofFeatures(world, 50, { archived: true, on: true }) },
  eachOf: 'archived',
  required: ['features'],
  waits: 3,
  differs: '404 for a feature that is not archived; 409 while features depend on one, where Unleash answers 403',
});

describe('Deleting features', () => {
  const { service, world } = sharedWorld(shopSeed);
  const remove = (features: readonly string[]) => service.post(paths.bulk('delete'), { features });
  const statusOf = async (name: string) => (await service.put(paths.feature(name))).status;

  test('deletes a parent together with all its children', async () => {
    const parent = (await world.feature()).name;
    const children = await world.featureNames(2, { parents: [parent] });
    for (const name of [parent, ...children]) await service.put(paths.feature(name), { archived: true });
    expect(await remove([parent, children[0] ?? ''])).toMatchObject({ status: 409, body: { name: 'InUseError' } });
    expect((await remove([parent, ...children])).status).toBe(200);
    for (const name of [parent, ...children]) expect(await statusOf(name)).toBe(404);
    expect((await world.ask('POST', '/api/admin/projects/default/features', { name: parent })).body.children).toEqual(
      [],
    );
  });

  test('deletes large ones step by step, all at once, while another caller does so', async () => {
    const environments: string[] = [];
    while (environments.length < 46) environments.push(await world.environment());
    const project = await world.project({ environments });
    const names = await world.featureNames(4, { project, environment: environments[0] ?? '' });
    const variants = [{ name: 'blue', weight: 1000 }];
    for (const name of names) {
      await world.ask('PUT', `${paths.feature(name, project)}/variants-batch`, { environments, variants });
      await world.ask('DELETE', paths.feature(name, project));
    }
    const another = () => service.call('DELETE', paths.deleted(names[0] ?? ''));
    const requests = await betweenReadAndWrite(service.table, another, () =>
      recordStoreRequests(service.table, async () => {
        expect((await service.post(paths.bulk('delete', project), { features: names })).status).toBe(200);
      }),
    );
    for (const name of names) expect(await statusOf(name)).toBe(404);
    const reads = requests.filter(({ command, targets }) => command === 'Query' && `${targets}`.startsWith('FEATURE#'));
    expect(reads.length).toBeLessThan(names.length * 30);
  });
});

specify('reviveFeatures', {
  route: 'POST /api/admin/projects/{projectId}/revive',
  unversioned: 'it is about many things',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: (world) => ofFeatures(world, 1, { archived: true }),
  others: { '50 features': (world) => ofFeatures(world, 50, { archived: true }) },
  eachOf: 'all',
  required: ['features'],
  differs: '404 for an unknown feature',
});

specify('reviveFeature', {
  route: 'POST /api/admin/archive/revive/{featureName}',
  versionAt: 'PUT /api/admin/projects/{projectId}/features/{featureName}',
  ...openTo('Member', 'UPDATE_FEATURE'),
  request: async (world) => ({
    params: (await world.feature({ archived: true, on: true })).place,
    project: world.home.projectId,
  }),
  // The feature says which project it is of.
  waits: 3,
  again: 404,
  ofArchived: true,
});

describe('Reviving a feature', () => {
  const { service, world } = sharedWorld();
  const revive = (name: string) => service.post(paths.revived(name));

  test('takes it out of the archive as it was, but off in every environment', async () => {
    const { name } = await world.feature({ on: true });
    const counts = await enabledCounts(service);
    await addFeaturesOn(service, [name], { environment: 'production' });
    const before = await readFeature(service, name);
    await service.call('DELETE', paths.feature(name));
    const events = await eventsAddedBy(service, name, async () => {
      expect(await revive(name)).toMatchObject({ status: 200, text: '' });
    });
    expect(events.map(({ type, environment }) => [type, environment])).toEqual([
      ['feature-revived', null],
      ['feature-environment-disabled', 'development'],
      ['feature-environment-disabled', 'production'],
    ]);
    expect(await readFeature(service, name)).toEqual({
      ...before,
      enabled: false,
      environments: before.environments.map((each: object) => ({ ...each, enabled: false })),
      lifecycle: { stage: 'initial', enteredStageAt: events[0]?.createdAt },
    });
    const { body } = await service.get(paths.archive());
    expect(body.features.map(({ name }: { name: string }) => name)).not.toContain(name);
    expect(await enabledCounts(service)).toEqual({ ...counts, development: Number(counts.development) - 1 });
  });
});

specify('getArchivedFeatures', {
  route: 'GET /api/admin/archive/features',
  may: 'any token',
  given: (world) => world.feature({ archived: true }),
  // The list of projects, and then their archives.
  waits: 2,
});

const { service, world } = sharedWorld();
describe('The archive of all projects', () => {
  const names: string[] = [];
  beforeAll(async () => {
    const projects = ['default', await world.project(), await world.project()];
    for (let count = 0; count < 7; count += 1) {
      const { name } = await world.feature({ project: projects[count % 3] as string, archived: true });
      names.unshift(name);
    }
    await world.feature();
  });

  const namesIn = (features: { name: string }[]) => features.map(({ name }) => name);

  test('lists the archived features of each, the latest first', async () => {
    const { body } = await service.get('/api/admin/archive/features');
    expect(namesIn(body.features)).toEqual(names);
    expect(body.features[0]).toMatchObject({ archived: true, lifecycle: { stage: 'archived' } });
  });

  test.each([3, 6, 7])('is the same in pages of %i, one after the other', async (limit) => {
    const pages = await archivePages(service, `/api/admin/archive/features?limit=${limit}`);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
    expect(pages.flat()).toEqual(names);
  });
});

specify('getArchivedFeaturesByProjectId', {
  route: 'GET /api/admin/archive/features/{projectId}',
  may: 'any token',
  request: (world) => ({ params: world.home }),
  takesAnyName: ['projectId'],
});

describe('The archive of a project', () => {
  const service = sharedService(shopSeed);

  async function archived(project = 'default') {
    const { status, body } = await service.get(paths.archive(project));
    expect([status, body.version]).toEqual([200, 2]);
    return body.features;
  }

  async function archivedNames(project = 'default'): Promise<string[]> {
    return (await archived(project)).map(({ name }: { name: string }) => name);
  }

  /** Archives or revives a feature, at a time of its own. */
  async function setArchived(name: string, to: boolean, project = 'default') {
    await sleep(2);
    expect(await service.put(paths.feature(name, project), { archived: to })).toMatchObject({ status: 200 });
  }

  describe('The archive of a project', () => {
    test('is empty where there is no such project, as on Unleash', async () => {
      expect(await archived('nowhere')).toEqual([]);
    });

    test('lists the features themselves with tags and lifecycle, without environments', async () => {
      const featureTags = [{ featureName: 'whole', tagType: 'team', tagValue: 'checkout' }];
      const features = [{ name: 'whole', type: 'experiment', description: 'All', stale: true, impressionData: true }];
      await importFileParts(service, { features, featureTags });
      await setArchived('whole', true);
      const { archivedAt } = (await service.put(paths.feature('whole'))).body;
      const [shown] = await archived();
      expect(shown).toMatchObject({
        ...features[0],
        project: 'default',
        archived: true,
        archivedAt,
        tags: [{ type: 'team', value: 'checkout' }],
        lifecycle: { stage: 'archived', enteredStageAt: archivedAt },
      });
      expect(shown).not.toHaveProperty('environments');
      await setArchived('whole', false);
      expect(await archived()).toEqual([]);
    });

    test('lists what was archived last first, and is right after every change', async () => {
      const names = ['b', 'c', 'a'];
      await addFeatures(service, names);
      for (const [index, name] of names.entries()) {
        await nextMillisecond();
        await setArchived(name, true);
        expect(await archivedNames()).toEqual(names.slice(0, index + 1).toReversed());
      }
      await setArchived('c', false);
      await nextMillisecond();
      expect(await archivedNames()).toEqual(['a', 'b']);
      await setArchived('c', true);
      expect(await archivedNames()).toEqual(['c', 'a', 'b']);
      const times = (await archived()).map(({ archivedAt }: { archivedAt: string }) => archivedAt);
      expect(times).toEqual(times.toSorted().toReversed());
    });

    test('shows a change made in the archive, in the same place', async () => {
      await addFeatures(service, ['older', 'newer'], { project: 'shop' });
      await setArchived('older', true, 'shop');
      await nextMillisecond();
      await setArchived('newer', true, 'shop');
      await service.put(paths.feature('older', 'shop'), { description: 'Late words', archived: true, stale: true });
      expect(await archived('shop')).toMatchObject([
        { name: 'newer', project: 'shop' },
        { name: 'older', description: 'Late words', stale: true, archived: true },
      ]);
    });
  });

  describe('The pages of an archive', () => {
    let paged: Service;
    const names = Array.from({ length: 7 }, (_, index) => `kept-${index}`);
    beforeAll(async () => {
      paged = await freshService();
      // Archived at the same moment, so that their names decide about the order.
      await importFileParts(paged, { features: names.map((name) => ({ name, archived: true })) });
    });

    const page = async (query: string) => paged.get(`${paths.archive()}${query}`);
    const namesIn = ({ body }: Reply) => body.features.map(({ name }: { name: string }) => name);

    test.each([3, 6])('hold %i features each, and lead to all of them once', async (limit) => {
      const pages = await archivePages(paged, `${paths.archive()}?limit=${limit}`);
      for (const each of pages) expect(each.length).toBeLessThanOrEqual(limit);
      expect(pages.flat()).toEqual(names.toReversed());
    });

    test.each(['', '?limit=7', `?limit=${Number.MAX_SAFE_INTEGER}`])('end with %j', async (query) => {
      const answer = await page(query);
      expect(namesIn(answer)).toHaveLength(7);
      expect(answer.headers.link).toBeUndefined();
    });

    test('begin before a time', async () => {
      const [{ archivedAt }] = (await page('?limit=1')).body.features;
      expect(namesIn(await page(`?before=${archivedAt}`))).toEqual([]);
      expect(namesIn(await page('?before=2999-01-01T00:00:00.000Z'))).toHaveLength(7);
    });

    test.each(['?limit=0', '?limit=x', '?before=yesterday', '?before=2026-01-01T00:00:00.000Z,a%20b', '?before=1'])(
      'are refused for %j',
      async (query) => {
        expect(await page(query)).toMatchObject({ status: 400, body: { name: 'ValidationError' } });
      },
    );

    test('are as large as an answer may be, however large the features are, and cost no more', async () => {
      const description = 'x'.repeat(95_000);
      const features = Array.from({ length: 60 }, (_, index) => ({
        name: `large-${index}`,
        description,
        archived: true,
      }));
      vi.stubEnv('BODY_LIMIT_BYTES', '4000000');
      for (const half of [features.slice(0, 30), features.slice(30)]) await importFileParts(paged, { features: half });
      const [first, rest] = (await archivePages(paged, paths.archive())).map(({ length }) => length) as [
        number,
        number,
      ];
      expect(first).toBeGreaterThan(40);
      expect(first).toBeLessThan(60);
      expect(first + rest).toBe(67);
    });
  });
});
