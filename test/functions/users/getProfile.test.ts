import { expect, test } from 'vitest';
import { readSeed } from '../../../lib/imports/seed/seed-data.ts';
import { newTokenOf } from '../../harness/features.ts';
import { freshService } from '../../harness/service.ts';
import { specify } from '../../specifications/specify.ts';

specify('getProfile', {
  route: 'GET /api/admin/user/profile',
  may: 'any token',
  request: async (world) => ({ headers: { authorization: await world.knownToken() } }),
});

test('It names the groups of a user, who may change their password while there are passwords', async () => {
  const service = await freshService(
    readSeed({ users: [{ username: 'zoe' }], groups: [{ name: 'team', users: ['zoe'] }] }),
  );
  const path = '/api/admin/user/profile';
  const token = await newTokenOf(service, { username: 'zoe' });
  expect((await service.get(path, { token })).body).toMatchObject({ groups: ['team'], canChangePassword: true });
  expect((await service.get(path)).body).toMatchObject({ groups: [], canChangePassword: false });
});
