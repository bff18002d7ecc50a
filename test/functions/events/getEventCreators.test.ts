import { expect } from 'vitest';
import { newTokenOf } from '../../harness/features.ts';
import { specify, test } from '../../specifications/specify.ts';

specify('getEventCreators', {
  route: 'GET /api/admin/event-creators',
  may: 'any token',
  given: (world) => world.feature(),
});

test('Everybody who made a change is listed once, by name', async ({ service }) => {
  const token = await newTokenOf(service, { username: 'zoe', rootRole: 'Editor' });
  for (const name of ['one', 'two']) {
    await service.post('/api/admin/projects/default/features', { name }, { token });
  }
  const { body } = await service.get('/api/admin/event-creators');
  expect(body.filter(({ name }: { name: string }) => name === 'zoe')).toEqual([
    { id: expect.any(Number), name: 'zoe' },
  ]);
  expect(body).toContainEqual({ id: -1337, name: 'unleash_system_user' });
  const names = body.map(({ name }: { name: string }) => name);
  expect(names).toEqual(names.toSorted((a: string, b: string) => a.localeCompare(b)));
});
