import { describe, expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { seedStore } from '../../../lib/imports/seed/seed-store.ts';
import { problemPaths } from '../../harness/features.ts';
import { serviceEvents } from '../../harness/service-events.ts';
import { openTo, sharedService, specify } from '../../specifications/specify.ts';

specify('createEnvironment', {
  route: 'POST /api/admin/environments',
  ...openTo('Admin', 'ADMIN'),
  request: (world) => ({
    body: {
      name: world.name('environment'),
      type: 'preproduction',
      enabled: true,
      sortOrder: 7,
      requiredApprovals: 2,
    },
  }),
  required: ['name', 'type'],
  nullable: ['requiredApprovals'],
  again: 409,
  // An earlier one of the name may still be in the way.
  waits: 3,
});

describe('Creating an environment', () => {
  const service = sharedService();
  const create = (body: object) => service.post('/api/admin/environments', body);

  test('answers it with every field and where it is, enabled and the last of all, and records it', async () => {
    const last = (await service.get('/api/admin/environments')).body.environments.at(-1);
    const answer = await create({ name: 'staging', type: 'preproduction' });
    expect(answer).toMatchObject({ status: 201, headers: { location: '/api/admin/environments/staging' } });
    const created = {
      name: 'staging',
      type: 'preproduction',
      sortOrder: last.sortOrder + 1,
      enabled: true,
      protected: false,
      requiredApprovals: null,
    };
    expect(answer.body).toEqual(created);
    expect((await service.get('/api/admin/environments/staging')).body).toEqual(created);
    const about = { environment: 'staging', data: created, preData: null };
    expect((await serviceEvents(service.table)).at(-1)).toMatchObject({ type: 'environment-created', ...about });
  });

  test('under the wildcard is a 400', async () => {
    expect(problemPaths(await create({ name: '*', type: '', requiredApprovals: -1 }))).toEqual([
      'name',
      'requiredApprovals',
      'type',
    ]);
  });

  test('gets a place that JSON keeps exact, even after the highest one', async () => {
    const highest = Number.MAX_SAFE_INTEGER;
    await create({ name: 'highest', type: 'test', sortOrder: highest });
    expect((await create({ name: 'after-it', type: 'test' })).body).toMatchObject({ sortOrder: highest });
  });

  test('is refused with 400 where there are 50', async () => {
    const { body } = await service.get('/api/admin/environments');
    const others = Array.from({ length: 49 - body.environments.length }, (_, index) => ({ name: `test-${index}` }));
    await seedStore(service.table, readSeed({ environments: others }));
    expect(await create({ name: 'the-last', type: 'test' })).toMatchObject({ status: 201 });
    expect(await create({ name: 'one-more', type: 'test' })).toMatchObject({ status: 400 });
  });
});
