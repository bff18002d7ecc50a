import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { addFeatures, archivePages, importFileParts, paths, shopSeed } from '../../harness/features.ts';
import { freshService, type Reply, type Service } from '../../harness/service.ts';
import { sharedService, specify } from '../../specifications/specify.ts';

specify('getArchivedFeaturesByProjectId', {
  route: 'GET /api/admin/archive/features/{projectId}',
  may: 'any token',
  request: (world) => ({ params: world.home }),
});

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
      await setArchived(name, true);
      expect(await archivedNames()).toEqual(names.slice(0, index + 1).toReversed());
    }
    await setArchived('c', false);
    expect(await archivedNames()).toEqual(['a', 'b']);
    await setArchived('c', true);
    expect(await archivedNames()).toEqual(['c', 'a', 'b']);
    const times = (await archived()).map(({ archivedAt }: { archivedAt: string }) => archivedAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('shows a change made in the archive, in the same place', async () => {
    await addFeatures(service, ['older', 'newer'], { project: 'shop' });
    for (const name of ['older', 'newer']) await setArchived(name, true, 'shop');
    await service.put(paths.feature('older', 'shop'), { description: 'Late words', archived: true, stale: true });
    expect(await archived('shop')).toMatchObject([
      { name: 'newer', project: 'shop' },
      { name: 'older', description: 'Late words', stale: true, archived: true },
    ]);
  });

  test('holds what was imported archived, and a feature archived often once', async () => {
    const before = await archivedNames('shop');
    await importFileParts(service, { features: [{ name: 'imported', archived: true }] }, { project: 'shop' });
    for (const to of [true, false, true, true]) await setArchived('imported', to, 'shop');
    expect(await archivedNames('shop')).toEqual(['imported', ...before]);
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
    process.env.BODY_LIMIT_BYTES = '4000000';
    try {
      for (const half of [features.slice(0, 30), features.slice(30)]) await importFileParts(paged, { features: half });
    } finally {
      delete process.env.BODY_LIMIT_BYTES;
    }
    const [first, rest] = (await archivePages(paged, paths.archive())).map(({ length }) => length) as [number, number];
    expect(first).toBeGreaterThan(40);
    expect(first).toBeLessThan(60);
    expect(first + rest).toBe(67);
  });
});
