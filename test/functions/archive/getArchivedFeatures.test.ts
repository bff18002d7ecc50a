import { beforeAll, describe, expect, test } from 'vitest';
import { archivePages } from '../../harness/features.ts';
import { sharedWorld, specify } from '../../specifications/specify.ts';

specify('getArchivedFeatures', {
  route: 'GET /api/admin/archive/features',
  may: 'any token',
  given: (world) => world.feature({ archived: true }),
  // The list of projects, and then their archives.
  waits: 2,
});

const names: string[] = [];
const { service, world } = sharedWorld();
beforeAll(async () => {
  const projects = ['default', await world.project(), await world.project()];
  for (let count = 0; count < 7; count += 1) {
    const { name } = await world.feature({ project: projects[count % 3] as string, archived: true });
    names.unshift(name);
  }
  await world.feature();
});

const namesIn = (features: { name: string }[]) => features.map(({ name }) => name);

describe('The archive of all projects', () => {
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
