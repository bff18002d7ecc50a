import { describe, expect } from 'vitest';
import { createChangeRequest } from '../../harness/change-requests.ts';
import { newTokenOf, shopSeed } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getConsoleStart', {
  route: 'GET /api/admin/console/start',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project() }),
  // The ids of the projects are asked for first.
  waits: 2,
});

specify('getConsoleFlags', {
  route: 'GET /api/admin/console/flags',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project(), on: true }),
  // The ids of the projects are asked for first, and the names of owners last.
  waits: 3,
});

specify('getConsoleFlag', {
  route: 'GET /api/admin/console/projects/{projectId}/flags/{featureName}',
  may: 'any token',
  request: async (world) => ({ params: (await world.feature({ on: true })).place }),
  // The names of authors, and segments, are asked for last.
  waits: 2,
});

specify('getConsoleNow', {
  route: 'GET /api/admin/console/now',
  may: 'any token',
  given: async (world) => world.feature({ project: await world.project(), on: true }),
  waits: 3,
});

specify('getConsoleReviews', {
  route: 'GET /api/admin/console/reviews',
  may: 'any token',
  given: (world) => createChangeRequest(world, 'In review'),
  waits: 4,
});

specify('getConsoleRequest', {
  route: 'GET /api/admin/console/requests/{projectId}/{id}',
  may: 'any token',
  request: async (world) => {
    const { projectId, id } = await createChangeRequest(world, 'In review');
    return { params: { projectId, id } };
  },
  waits: 5,
});

describe('The start of the console', () => {
  test('names the reader, and counts the flags of the projects that they see', async () => {
    const service = await freshService(shopSeed);
    const token = await newTokenOf(service, { username: 'zoe', inProject: { project: 'shop', role: 'Member' } });
    const { body } = await service.get('/api/admin/console/start', { token });
    expect(body.user).toMatchObject({ name: 'zoe', username: 'zoe' });
    expect(body.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: 'shop', environment: '*' });
    expect(body.projects).toContainEqual({ id: 'shop', name: 'shop', features: 0, favorite: false });
    expect(body).toMatchObject({
      reviews: { waiting: 0, open: 0 },
      overrides: [],
      banners: [],
      isInMaintenance: false,
    });
  });
});
