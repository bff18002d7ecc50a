import { expect } from 'vitest';
import { specify, test } from '../../specifications/specify.ts';

specify('getPermissions', {
  route: 'GET /api/admin/permissions',
  may: 'any token',
  request: () => ({}),
});

test('Those of environments are there for each environment', async ({ service }) => {
  const { permissions } = (await service.get('/api/admin/permissions')).body;
  expect([permissions.root.length, permissions.project.length]).toEqual([35, 21]);
  const names = permissions.environments.map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual(['default', 'development', 'production']);
  for (const { name, permissions: all } of permissions.environments) {
    expect(all).toHaveLength(8);
    for (const each of all) expect(each).toMatchObject({ type: 'environment', environment: name });
  }
});
